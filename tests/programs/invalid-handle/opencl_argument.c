// Defect buffer_for_an_image: A buffer is the argument of a parameter that is an image.
// EXPECT error invalid-handle clSetKernelArg at FIRST
// EXPECT-FACT kind=buffer
// EXPECT-PARTY allocation at BUFFER
// Defect image_for_a_buffer: An image is the argument of a parameter that is a pointer.
// EXPECT error invalid-handle clSetKernelArg at SECOND
// EXPECT-FACT kind=image
// EXPECT-PARTY allocation at IMAGE
// Fix: The image is the argument of the image, and the buffer that of the pointer.
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void first(read_only image2d_t in, global uint4* out) {"
      "  *out = read_imageui(in, (int2)(0, 0));"
      "}",
      "first");
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @IMAGE
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  // @BUFFER
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT_buffer_for_an_image
  // @FIRST
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
#elif defined(DEFECT_image_for_a_buffer)
  // @SECOND
  clSetKernelArg(kernel, 1, sizeof(image), &image);
#else
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer));
  const size_t one = 1;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  CLOSE(kernel, image, buffer);
}
