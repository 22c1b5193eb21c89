// Kernels with a constant sampler, whose other arguments are written in different halves on two queues.
#include "common/opencl.h"

static const char* kSource =
    "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
    "kernel void load(read_only image2d_t image, global uint* out, int from) {"
    "  const int at = from + get_global_id(0);"
    "  out[at] = read_imageui(image, nearest, (int2)(get_global_id(0), 0)).x;"
    "}";

int main(void) {
  Open(0);
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
  CLOSE(load, out, image, other);
}
