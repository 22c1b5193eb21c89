// A buffer and its kernel are released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(buffer));
  Close();
}
