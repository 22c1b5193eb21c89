// Defect: A kernel writes an image that was created CL_MEM_READ_ONLY: its argument says write_only.
// Fix: A kernel writes an image that was created CL_MEM_WRITE_ONLY.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=fill
// EXPECT-FACT argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_kernel kernel = NewKernel(
      "kernel void fill(write_only image2d_t out) {"
      "  write_imageui(out, (int2)(get_global_id(0), get_global_id(1)), (uint4)(7));"
      "}",
      "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  const size_t items[2] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, image);
}
