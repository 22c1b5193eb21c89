// Defect: The program writes half of the rows of an image, and a kernel reads all of them.
// Fix: The program writes all rows.
// EXPECT warning partially-initialized clEnqueueNDRangeKernel at HERE
// EXPECT-FACT kernel=widen
// EXPECT-FACT argument=0
// EXPECT-TEXT reads texels up to the y coordinate 31
#include "common/opencl.h"

enum { kWidth = 48, kHeight = 32 };

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void widen(read_only image2d_t in, global uint4* out) {"
      "  const int x = get_global_id(0), y = get_global_id(1);"
      "  out[y * get_global_size(0) + x] = read_imageui(in, (int2)(x, y));"
      "}",
      "widen");
  static unsigned char texels[kWidth * kHeight * 4];
  const cl_image_desc shape = Image2D(kWidth, kHeight);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_ONLY, &kRgba8, &shape, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(texels) * 4, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {kWidth, kHeight / 2, 1};
#else
  const size_t region[3] = {kWidth, kHeight, 1};
#endif
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items[2] = {kWidth, kHeight};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, out, image);
}
