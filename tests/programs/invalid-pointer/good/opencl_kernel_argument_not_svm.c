// A kernel argument for shared virtual memory is set to a pointer from clSVMAlloc.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  int* data = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  clSetKernelArgSVMPointer(kernel, 0, data);
  OK(clReleaseKernel(kernel));
  clSVMFree(context, data);
  Close();
}
