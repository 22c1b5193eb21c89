// The output buffer is created before the kernel gets it.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  const size_t items = 64;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  Close();
}
