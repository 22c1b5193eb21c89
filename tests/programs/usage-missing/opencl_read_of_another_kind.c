// Defect: Kernels read images with functions, coordinates and filters that do not fit the format or
// the sampler.
// Fix: They fit.
#include "common/opencl.h"

// Defect: A kernel reads an image of unsigned integers by read_imagef, whose results are undefined for that format.
// Fix: It reads the image by read_imageui.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
// EXPECT-TEXT read_imageui
#define SAMPLER "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST"

static void FloatReadOfIntegers(void) {
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
  RELEASE(out, image, load);
}

// Defect: A kernel reads an image at integer coordinates, and the program passes a sampler for normalized coordinates.
// Fix: It passes a sampler for coordinates that are not normalized.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
// EXPECT-TEXT normalized coordinates
static void IntegerCoordinatesOfNormalizedSampler(void) {
  cl_kernel kernel = NewKernel(
      "kernel void load(read_only image2d_t image, sampler_t sampler, global float4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(image, sampler, (int2)(x, 0));"
      "}",
      "load");
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items = 16, all[3] = {16, 16, 1};
  const cl_float ones[4] = {1, 1, 1, 1};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, ones, kOrigin, all, 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
#ifdef DEFECT
  const cl_bool normalized = CL_TRUE;
#else
  const cl_bool normalized = CL_FALSE;
#endif
  cl_sampler sampler =
      MADE(clCreateSampler(context, normalized, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(sampler, image, out, kernel);
}

// Defect: A kernel reads integers with a linear filter.
// Fix: It reads the nearest ones.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
// EXPECT-TEXT linear filter
#ifdef DEFECT
#define FILTER "CLK_FILTER_LINEAR"
#else
#define FILTER "CLK_FILTER_NEAREST"
#endif

static void LinearFilterOfIntegers(void) {
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
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(image, out, kernel);
}

int main(void) {
  Open(0);
  FloatReadOfIntegers();
  IntegerCoordinatesOfNormalizedSampler();
  LinearFilterOfIntegers();
  Close();
}
