// Kernels that handle images of several formats: one chooses the function by an argument, one by the format, and one
// calls both functions and uses the result of one.
#include "common/opencl.h"

#define SAMPLER \
  "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
#define AT "(int2)(get_global_id(0), 0)"

static const char* kSource =
    SAMPLER
    "kernel void by_argument(read_only image2d_t image, global float* out, int integers) {"
    "  if (integers) out[get_global_id(0)] = read_imageui(image, nearest, " AT ").x;"
    "  else out[get_global_id(0)] = read_imagef(image, nearest, " AT ").x;"
    "}"
    "kernel void by_format(read_only image2d_t image, global float* out, int unused) {"
    "  if (get_image_channel_data_type(image) == CLK_FLOAT)"
    "    out[get_global_id(0)] = read_imagef(image, nearest, " AT ").x;"
    "}"
    "kernel void by_result(read_only image2d_t image, global float* out, int integers) {"
    "  const float number = read_imagef(image, nearest, " AT ").x;"
    "  const uint integer = read_imageui(image, nearest, " AT ").x;"
    "  out[get_global_id(0)] = integers ? integer : number;"
    "}"
    "kernel void only_if(read_only image2d_t image, global float* out, int integers) {"
    "  if (!integers) out[get_global_id(0)] = read_imagef(image, nearest, " AT ").x;"
    "}";

int main(void) {
  Open(0);
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
  Close();
}
