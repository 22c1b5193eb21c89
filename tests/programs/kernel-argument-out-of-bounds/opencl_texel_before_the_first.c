// Defect: A filter reads the left neighbour of each texel without a sampler, also that of the first column.
// Fix: It reads with a sampler that clamps the coordinates.
// EXPECT warning kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=blur
// EXPECT-FACT coordinate=-1
// EXPECT-TEXT CLK_ADDRESS_CLAMP
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
#define READ(dx) "read_imagef(in, at + (int2)(" dx ", 0))"
#else
#define READ(dx) "read_imagef(in, edge, at + (int2)(" dx ", 0))"
#endif
  const char* source =
      "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
      "kernel void blur(read_only image2d_t in, write_only image2d_t out) {"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imagef(out, at, (" READ("-1") " + " READ("0") ") / 2);"
      "}";
  cl_kernel kernel = NewKernel(source, "blur");
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items[2] = {16, 16}, all[3] = {16, 16, 1};
  const cl_float ones[4] = {1, 1, 1, 1};
  cl_mem in = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  cl_mem out = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, in, ones, kOrigin, all, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel);
}
