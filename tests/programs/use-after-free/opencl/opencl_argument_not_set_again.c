// Defect: The program replaces two buffers, and sets only one of the two arguments again.
// Fix: The program sets both arguments again.
// EXPECT error use-after-free clEnqueueNDRangeKernel at HERE
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "kernel void move(global float* places, global const float* speeds) {"
    "  const int i = get_global_id(0);"
    "  places[i] += speeds[i];"
    "}";

enum { kItems = 256 };

int main(void) {
  Open(0);
  static float values[2 * kItems];
  cl_kernel kernel = NewKernel(kSource, "move");
  cl_mem buffers[2];
  for (size_t items = kItems; items <= 2 * kItems; items *= 2) {
    for (int i = 0; i < 2; ++i) {
      buffers[i] = MADE(
          clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, items * sizeof(float), values, &error));
    }
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
#ifdef DEFECT
    if (items == kItems)
#endif
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]));
    // @HERE
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    OK(clFinish(queue));
    for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(buffers[i]));
  }
  CLOSE(kernel);
}
