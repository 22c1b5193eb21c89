// Samplers that are arguments and constants of kernels.
#include "common/opencl.h"

// A sampler is set, replaced and released after the launches, and a kernel is cloned with it.
static cl_sampler NewSampler(cl_filter_mode filter) {
  return MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, filter, &error));
}

static void SetAndReplaced(void) {
  static const char kSource[] =
      "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
      "  out[get_global_id(0)] = read_imagef(in, how, (float2)(get_global_id(0) + 0.5f, 0.5f)).x; }";
  cl_kernel kernel = NewKernel(kSource, "take");
  const cl_image_desc shape = Image2D(16, 16);
  cl_float* texels = calloc(16 * 16, 16);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgbaFloat, &shape, texels, &error));
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

// Reads with the samplers that the functions support: a linear filter at coordinates of a floating-point type,
// normalized coordinates that repeat the image, a sampler that is chosen by an argument, and a read with a sampler that
// it does not support, whose result is not used.
static void SamplersOfReads(void) {
  static const char* const kSource =
      "constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;"
      "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
      "constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;"
      "constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;"
      "kernel void smooth(read_only image2d_t image, sampler_t sampler, global float4* out, int choice) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(image, linear, (float2)(x + 0.25f, 0.5f)) + read_imagef(image, repeat, (float2)(x, 0.5f)) +"
      "           read_imagef(image, nearest, (int2)(x - 3, 100)) + read_imagef(image, none, (int2)(x, 0)) +"
      "           read_imagef(image, sampler, (float2)(x, 0.5f));"
      "}"
      "kernel void choose(read_only image2d_t image, sampler_t sampler, global float4* out, int choice) {"
      "  const int x = get_global_id(0);"
      "  const float4 by_sampler = read_imagef(image, sampler, (int2)(x, 0));"
      "  const float4 by_constant = read_imagef(image, nearest, (int2)(x, 0));"
      "  out[x] = choice ? by_sampler : by_constant;"
      "}"
      "kernel void only_if(read_only image2d_t image, sampler_t sampler, global float4* out, int choice) {"
      "  const int x = get_global_id(0);"
      "  if (choice) out[x] = read_imagef(image, sampler, (int2)(x, 0));"
      "}";
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items = 16, all[3] = {16, 16, 1};
  const cl_float ones[4] = {1, 1, 1, 1};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, ones, kOrigin, all, 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
  cl_sampler sampler = MADE(clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &error));
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

// Kernels with a constant sampler, whose other arguments are written in different halves on two queues.
static void ConstantSamplers(void) {
  static const char* kSource =
      "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
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
  SetAndReplaced();
  SamplersOfReads();
  ConstantSamplers();
  Close();
}
