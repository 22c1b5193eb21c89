// A kernel argument for shared virtual memory is set to a pointer from malloc.
// EXPECT error invalid-pointer clSetKernelArgSVMPointer at HERE
// EXPECT-PARTY host-block at BLOCK
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @BLOCK
  int* data = malloc(4096);
  // @HERE
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  free(data);
  Close();
}
