// Defect: A kernel reads integers with a linear filter.
// Fix: It reads the nearest ones.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
// EXPECT-TEXT linear filter
#include "common/opencl.h"

#ifdef DEFECT
#define FILTER "CLK_FILTER_LINEAR"
#else
#define FILTER "CLK_FILTER_NEAREST"
#endif

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | " FILTER ";"
      "kernel void load(read_only image2d_t image, global uint4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imageui(image, sampler, (float2)(x + 0.25f, 0));"
      "}",
      "load");
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items = 16, all[3] = {16, 16, 1};
  const cl_uint ones[4] = {1, 1, 1, 1};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, ones, kOrigin, all, 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(image, out, kernel);
}
