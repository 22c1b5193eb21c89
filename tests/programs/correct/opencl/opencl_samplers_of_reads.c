// Reads with the samplers that the functions support: a linear filter at coordinates of a floating-point type,
// normalized coordinates that repeat the image, a sampler that is chosen by an argument, and a read with a sampler that
// it does not support, whose result is not used.
#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  CLOSE(sampler, image, out);
}
