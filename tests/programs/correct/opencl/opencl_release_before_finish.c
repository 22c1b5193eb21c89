// Buffers, kernel and events are released as soon as the commands that use them are enqueued:
// legal, and small.
#include "common/opencl.h"

int main(void) {
  Open(0);
  int result[64];
  cl_event read = NULL;
  for (int i = 0; i < 20; ++i) {
    cl_kernel kernel =
        NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
    cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    const size_t items = 64;
    cl_event filled;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &filled));
    OK(clReleaseKernel(kernel));
    if (read) OK(clReleaseEvent(read));
    OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof(result), result, 1, &filled, &read));
    OK(clReleaseEvent(filled));
    OK(clReleaseMemObject(buffer));
  }
  OK(clFinish(queue));
  OK(clReleaseEvent(read));
  printf("%d\n", result[63]);
  Close();
}
