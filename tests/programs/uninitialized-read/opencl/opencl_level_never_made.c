// Defect: The program makes the second level of an image pyramid, but not the first one, from which it is made.
// Fix: The program makes both levels.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=halve
#include "common/opencl.h"

enum { kLevels = 3, kWidth = 32 };

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void halve(read_only image2d_t in, write_only image2d_t out) {"
      "  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |"
      "                            CLK_FILTER_NEAREST;"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, read_imageui(in, nearest, 2 * at));"
      "}",
      "halve");
  static unsigned char texels[kWidth * kWidth * 4];
  cl_mem levels[kLevels];
  for (int i = 0; i < kLevels; ++i) {
    const cl_image_desc shape = Image2D(kWidth >> i, kWidth >> i);
    levels[i] = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  }
  const size_t whole[3] = {kWidth, kWidth, 1};
  OK(clEnqueueWriteImage(queue, levels[0], CL_TRUE, kOrigin, whole, 0, 0, texels, 0, NULL, NULL));
#ifdef DEFECT
  const int first = 2;
#else
  const int first = 1;
#endif
  for (int i = first; i < kLevels; ++i) {
    const size_t items[2] = {kWidth >> i, kWidth >> i};
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &levels[i - 1]));
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &levels[i]));
    // @HERE
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  for (int i = 0; i < kLevels; ++i) OK(clReleaseMemObject(levels[i]));
  CLOSE(kernel);
}
