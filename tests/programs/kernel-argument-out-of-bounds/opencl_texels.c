// Defect before_the_first: A filter reads the left neighbour of each texel without a sampler, also
// that of the first column.
// EXPECT warning kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=blur
// EXPECT-FACT coordinate=-1
// EXPECT-TEXT CLK_ADDRESS_CLAMP
// EXIT any
// Defect past_the_width: A launch has more work-items than the image has columns, because its size
// is a multiple of the work-group, and the kernel writes a texel in each of them.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT coordinate=63
// EXPECT-FACT extent=50
// EXPECT-TEXT its x coordinate is 63
// EXIT any
// Fix: The kernel accesses texels of the image only.
#include "common/opencl.h"

// Fix: It reads with a sampler that clamps the coordinates.
static void BeforeTheFirst(void) {
#ifdef DEFECT_before_the_first
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
  RELEASE(in, out, kernel);
}

// Fix: The kernel returns in work-items outside of the image.
static void PastTheWidth(void) {
#ifdef DEFECT_past_the_width
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
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(image, kernel);
}

int main(void) {
  Open(0);
  BeforeTheFirst();
  PastTheWidth();
  Close();
}
