// Defect: A filter whose result is smaller than the image is launched over the size of the image.
// The window of the last rows and columns is outside of the image.
// Fix: The launch has the size of the result.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=filter
// EXPECT-FACT first_byte=0
// EXPECT-TEXT through argument 0 \(in\)
#include "common/opencl.h"

static const char* const kSource =
    "kernel void filter(global const float* in, global float* out, int width, int radius) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j <= 2 * radius; ++j)\n"
    "    for (int i = 0; i <= 2 * radius; ++i) sum += in[(y + j) * width + x + i];\n"
    "  out[y * width + x] = sum;\n"
    "}\n";

enum { kWidth = 16, kHeight = 12, kRadius = 2 };

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(kSource, "filter");
  // Behind the image there is room for the elements that are outside.
  static cl_float image[2 * kWidth * kHeight];
  const size_t bytes = kWidth * kHeight * sizeof(cl_float);
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, image, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  const cl_int width = kWidth, radius = kRadius;
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 2, sizeof(width), &width));
  OK(clSetKernelArg(kernel, 3, sizeof(radius), &radius));
#ifdef DEFECT
  const size_t items[2] = {kWidth, kHeight};
#else
  const size_t items[2] = {kWidth - 2 * kRadius, kHeight - 2 * kRadius};
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(in, out, kernel);
}
