// Defect: One image is the read_only and the write_only argument of a launch.
// Fix: The launch writes into a second image.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=invert
// EXPECT-FACT argument=1
// EXPECT-FACT other_argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_mem other = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_kernel kernel = NewKernel(
      "kernel void invert(read_only image2d_t in, write_only image2d_t out) {"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, 255 - read_imageui(in, at));"
      "}",
      "invert");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
#ifdef DEFECT
  OK(clSetKernelArg(kernel, 1, sizeof(image), &image));
#else
  OK(clSetKernelArg(kernel, 1, sizeof(other), &other));
#endif
  const size_t items[2] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, other, image);
}
