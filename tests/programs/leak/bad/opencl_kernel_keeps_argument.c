// A buffer and its kernel are never released; the kernel's argument holds the buffer too.
// EXPECT error leak clCreateBuffer at CREATED
// EXPECT-TEXT kernel argument
// EXPECT warning leak clCreateKernel
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @ARGUMENT
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  Close();
}
