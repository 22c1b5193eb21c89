// Defect: A kernel reads an image of unsigned integers by read_imagef, whose results are undefined for that format.
// Fix: It reads the image by read_imageui.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
// EXPECT-TEXT read_imageui
#include "common/opencl.h"

#define SAMPLER "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST"

int main(void) {
  Open(0);
#ifdef DEFECT
  const char* source =
      "kernel void load(read_only image2d_t image, global float* out) {"
      "  const sampler_t nearest = " SAMPLER ";"
      "  out[get_global_id(0)] = read_imagef(image, nearest, (int2)(get_global_id(0), 0)).x;"
      "}";
#else
  const char* source =
      "kernel void load(read_only image2d_t image, global float* out) {"
      "  const sampler_t nearest = " SAMPLER ";"
      "  out[get_global_id(0)] = read_imageui(image, nearest, (int2)(get_global_id(0), 0)).x;"
      "}";
#endif
  cl_kernel load = NewKernel(source, "load");
  const cl_image_desc shape = Image2D(16, 16);
  const size_t all[3] = {16, 16, 1}, items = 16;
  const cl_uint color[4] = {1, 2, 3, 4};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * sizeof(float), NULL, &error));
  OK(clEnqueueFillImage(queue, image, color, kOrigin, all, 0, NULL, NULL));
  OK(clSetKernelArg(load, 0, sizeof(image), &image));
  OK(clSetKernelArg(load, 1, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, load, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(out, image, load);
}
