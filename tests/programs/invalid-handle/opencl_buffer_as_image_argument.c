// Defect: A buffer is the argument of a parameter that is an image.
// Fix: An image is the argument.
// EXPECT error invalid-handle clSetKernelArg at HERE
// EXPECT-FACT kind=buffer
// EXPECT-PARTY allocation at CREATED
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
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  // @HERE
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
#else
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(buffer), &buffer));
  const size_t one = 1;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
#endif
  CLOSE(kernel, image, buffer);
}
