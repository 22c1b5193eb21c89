// Defect: A launch has more work-items than the image has columns, because its size is a multiple of the work-group,
// and the kernel writes a texel in each of them.
// Fix: The kernel returns in work-items outside of the image.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT coordinate=63
// EXPECT-FACT extent=50
// EXPECT-TEXT its x coordinate is 63
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const char* source =
      "kernel void fill(write_only image2d_t image, int width, int height) {"
      "  write_imagef(image, (int2)(get_global_id(0), get_global_id(1)), (float4)(1));"
      "}";
#else
  const char* source =
      "kernel void fill(write_only image2d_t image, int width, int height) {"
      "  const int x = get_global_id(0), y = get_global_id(1);"
      "  if (x >= width || y >= height) return;"
      "  write_imagef(image, (int2)(x, y), (float4)(1));"
      "}";
#endif
  cl_kernel kernel = NewKernel(source, "fill");
  const cl_int width = 50, height = 32;
  const cl_image_desc shape = Image2D((size_t)width, (size_t)height);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 2, sizeof(height), &height));
  const size_t items[2] = {64, 32}, group[2] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(image, kernel);
}
