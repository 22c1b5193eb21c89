// Kernels access texels of images by functions and samplers that fit, and inside of the image only.
#include "common/opencl.h"

// Kernels whose launches are larger than the image, and that access texels of the image only: one
// compares with the size of the image, one with arguments, one reads with a sampler, one with a
// loop over the columns; and launches with an offset, without work-items, and over the layers of an
// array.
#define AT "const int x = get_global_id(0), y = get_global_id(1);"

static const char* const kSource =
    "constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
    "CLK_FILTER_NEAREST;"
    "kernel void by_size(write_only image2d_t image, int width, int height) {" AT
    "  if (x < get_image_width(image) && y < get_image_height(image)) write_imagef(image, "
    "(int2)(x, y), (float4)(1));"
    "}"
    "kernel void by_arguments(write_only image2d_t image, int width, int height) {" AT
    "  if (x < width && y < height) write_imagef(image, (int2)(x, y), (float4)(2));"
    "}"
    "kernel void by_remainder(write_only image2d_t image, int width, int height) {" AT
    "  write_imagef(image, (int2)(x % width, y % height), (float4)(2));"
    "}"
    "kernel void by_minimum(write_only image2d_t image, int width, int height) {" AT
    "  write_imagef(image, min((int2)(x, y), (int2)(width - 1, height - 1)), (float4)(2));"
    "}"
    "kernel void by_loop(write_only image2d_t image, int width, int height) {"
    "  const int y = get_global_id(1);"
    "  if (y < height)"
    "    for (int x = get_global_id(0); x < width; x += get_global_size(0))"
    "      write_imagef(image, (int2)(x, y), (float4)(3));"
    "}"
    "kernel void everywhere(write_only image2d_t image, int width, int height) {" AT
    "  write_imagef(image, (int2)(x, y), (float4)(4));"
    "}"
    "kernel void around(read_only image2d_t image, global float* out) {" AT
    "  out[y * 64 + x] = read_imagef(image, border, (int2)(x - 7, y + 9)).x;"
    "}"
    "kernel void layers(write_only image2d_array_t image) {"
    "  write_imagef(image, (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 77), "
    "(float4)(5));"
    "}";

static cl_mem image;
static const cl_int width = 50, height = 20;

static void Write(const char* name, const size_t* offset, size_t columns, size_t rows) {
  cl_kernel kernel = NewKernel(kSource, name);
  const size_t items[2] = {columns, rows};
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 2, sizeof(height), &height));
  for (int i = 0; i < 2; ++i)
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, offset, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

static void Read(void) {
  cl_kernel kernel = NewKernel(kSource, "around");
  const size_t items[2] = {64, 32};
  cl_mem out = MADE(clCreateBuffer(context, 0, 64 * 32 * sizeof(float), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
}

static void WriteLayers(void) {
  const cl_image_desc shape = Image2DArray(8, 4, 3);
  cl_mem array = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  cl_kernel kernel = NewKernel(kSource, "layers");
  const size_t items[3] = {8, 4, 3};
  OK(clSetKernelArg(kernel, 0, sizeof(array), &array));
  OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(array));
}

static void InsideOfImages(void) {
  const cl_image_desc shape = Image2D((size_t)width, (size_t)height);
  image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  const size_t offset[2] = {40, 10};
  Write("everywhere", NULL, 50, 20);
  Write("everywhere", offset, 10, 10);
  Write("everywhere", NULL, 0, 20);
  Write("by_size", NULL, 64, 32);
  Write("by_arguments", NULL, 64, 32);
  Write("by_remainder", NULL, 64, 32);
  Write("by_minimum", NULL, 64, 32);
  Write("by_loop", NULL, 8, 32);
  Read();
  WriteLayers();
  RELEASE(image);
}

// Kernels that handle images of several formats: one chooses the function by an argument, one by
// the format, and one calls both functions and uses the result of one.
#define SAMPLER                                                                             \
  "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | " \
  "CLK_FILTER_NEAREST;"
#define AT "(int2)(get_global_id(0), 0)"

static void OfSeveralTypes(void) {
  static const char* kSource = SAMPLER
      "kernel void by_argument(read_only image2d_t image, global float* out, int integers) {"
      "  if (integers) out[get_global_id(0)] = read_imageui(image, nearest, " AT
      ").x;"
      "  else out[get_global_id(0)] = read_imagef(image, nearest, " AT
      ").x;"
      "}"
      "kernel void by_format(read_only image2d_t image, global float* out, int unused) {"
      "  if (get_image_channel_data_type(image) == CLK_FLOAT)"
      "    out[get_global_id(0)] = read_imagef(image, nearest, " AT
      ").x;"
      "}"
      "kernel void by_result(read_only image2d_t image, global float* out, int integers) {"
      "  const float number = read_imagef(image, nearest, " AT
      ").x;"
      "  const uint integer = read_imageui(image, nearest, " AT
      ").x;"
      "  out[get_global_id(0)] = integers ? integer : number;"
      "}"
      "kernel void only_if(read_only image2d_t image, global float* out, int integers) {"
      "  if (!integers) out[get_global_id(0)] = read_imagef(image, nearest, " AT
      ").x;"
      "}";
  static const char* const kNames[] = {"by_argument", "by_format", "by_result", "only_if"};
  const cl_image_desc shape = Image2D(16, 16);
  const size_t all[3] = {16, 16, 1}, items = 16;
  const cl_uint integers[4] = {1, 2, 3, 4};
  const cl_float numbers[4] = {1, 2, 3, 4};
  cl_mem images[2] = {MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error)),
                      MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error))};
  OK(clEnqueueFillImage(queue, images[0], numbers, kOrigin, all, 0, NULL, NULL));
  OK(clEnqueueFillImage(queue, images[1], integers, kOrigin, all, 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * sizeof(float), NULL, &error));
  for (int i = 0; i < 4; ++i) {
    cl_kernel kernel = NewKernel(kSource, kNames[i]);
    for (cl_int j = 0; j < 2; ++j) {
      OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[j]));
      OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
      OK(clSetKernelArg(kernel, 2, sizeof(j), &j));
      OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    }
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  OK(clReleaseMemObject(out));
  for (int j = 0; j < 2; ++j) OK(clReleaseMemObject(images[j]));
}

// A sampler is set, replaced and released after the launches, and a kernel is cloned with it.
static cl_sampler NewSampler(cl_filter_mode filter) {
  return MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, filter, &error));
}

static void SetAndReplaced(void) {
  static const char kSource[] =
      "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
      "  out[get_global_id(0)] = read_imagef(in, how, (float2)(get_global_id(0) + 0.5f, 0.5f)).x; "
      "}";
  cl_kernel kernel = NewKernel(kSource, "take");
  const cl_image_desc shape = Image2D(16, 16);
  cl_float* texels = calloc(16 * 16, 16);
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgbaFloat, &shape, texels, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  const size_t items = 16;
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  for (int i = 0; i < 4; ++i) {
    cl_sampler sampler = NewSampler(CL_FILTER_NEAREST);
    OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseSampler(sampler));
  }
  cl_sampler last = NewSampler(CL_FILTER_LINEAR);
  OK(clSetKernelArg(kernel, 1, sizeof(last), &last));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseSampler(last));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(image));
  free(texels);
}

// Reads with the samplers that the functions support: a linear filter at coordinates of a
// floating-point type, normalized coordinates that repeat the image, a sampler that is chosen by an
// argument, and a read with a sampler that it does not support, whose result is not used.
static void SamplersOfReads(void) {
  static const char* const kSource =
      "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
      "CLK_FILTER_LINEAR;"
      "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
      "CLK_FILTER_NEAREST;"
      "constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | "
      "CLK_FILTER_LINEAR;"
      "constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
      "CLK_FILTER_NEAREST;"
      "kernel void smooth(read_only image2d_t image, sampler_t sampler, global float4* out, int "
      "choice) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(image, linear, (float2)(x + 0.25f, 0.5f)) + read_imagef(image, "
      "repeat, (float2)(x, 0.5f)) +"
      "           read_imagef(image, nearest, (int2)(x - 3, 100)) + read_imagef(image, none, "
      "(int2)(x, 0)) +"
      "           read_imagef(image, sampler, (float2)(x, 0.5f));"
      "}"
      "kernel void choose(read_only image2d_t image, sampler_t sampler, global float4* out, int "
      "choice) {"
      "  const int x = get_global_id(0);"
      "  const float4 by_sampler = read_imagef(image, sampler, (int2)(x, 0));"
      "  const float4 by_constant = read_imagef(image, nearest, (int2)(x, 0));"
      "  out[x] = choice ? by_sampler : by_constant;"
      "}"
      "kernel void only_if(read_only image2d_t image, sampler_t sampler, global float4* out, int "
      "choice) {"
      "  const int x = get_global_id(0);"
      "  if (choice) out[x] = read_imagef(image, sampler, (int2)(x, 0));"
      "}";
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items = 16, all[3] = {16, 16, 1};
  const cl_float ones[4] = {1, 1, 1, 1};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, ones, kOrigin, all, 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &error));
  const char* names[] = {"smooth", "choose", "only_if"};
  for (int i = 0; i < 3; ++i) {
    cl_kernel kernel = NewKernel(kSource, names[i]);
    const cl_int choice = 0;
    OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
    OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
    OK(clSetKernelArg(kernel, 3, sizeof(choice), &choice));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  RELEASE(sampler, image, out);
}

// Kernels with a constant sampler, whose other arguments are written in different halves on two
// queues.
static void ConstantSamplers(void) {
  static const char* kSource =
      "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
      "CLK_FILTER_NEAREST;"
      "kernel void load(read_only image2d_t image, global uint* out, int from) {"
      "  const int at = from + get_global_id(0);"
      "  out[at] = read_imageui(image, nearest, (int2)(get_global_id(0), 0)).x;"
      "}";
  cl_command_queue other = NewQueue(0);
  const cl_image_desc shape = Image2D(16, 16);
  const size_t all[3] = {16, 16, 1}, items = 16;
  const cl_uint color[4] = {1, 2, 3, 4};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 32 * sizeof(cl_uint), NULL, &error));
  OK(clEnqueueFillImage(queue, image, color, kOrigin, all, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_kernel load = NewKernel(kSource, "load");
  for (cl_int i = 0; i < 2; ++i) {
    const cl_int from = 16 * i;
    OK(clSetKernelArg(load, 0, sizeof(image), &image));
    OK(clSetKernelArg(load, 1, sizeof(out), &out));
    OK(clSetKernelArg(load, 2, sizeof(from), &from));
    OK(clEnqueueNDRangeKernel(i == 0 ? queue : other, load, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  OK(clFinish(other));
  RELEASE(load, out, image, other);
}

int main(void) {
  Open(0);
  InsideOfImages();
  OfSeveralTypes();
  SetAndReplaced();
  SamplersOfReads();
  ConstantSamplers();
  Close();
}
