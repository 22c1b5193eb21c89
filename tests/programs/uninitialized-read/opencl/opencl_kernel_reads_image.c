// Defect: A kernel reads every texel of an image that nothing has written.
// Fix: The image is written before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_ONLY, &kRgba8, &shape, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16 * 16, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
#endif
  cl_kernel kernel = NewKernel(
      "kernel void widen(read_only image2d_t in, global uint4* out) {"
      "  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
      "                          CLK_FILTER_NEAREST;"
      "  int x = get_global_id(0), y = get_global_id(1);"
      "  out[y * get_global_size(0) + x] = read_imageui(in, exact, (int2)(x, y));"
      "}",
      "widen");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items[2] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, out, image);
}
