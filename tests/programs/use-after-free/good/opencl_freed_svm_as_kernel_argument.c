// Shared virtual memory is freed after the kernel that uses it has ended.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  clSetKernelArgSVMPointer(kernel, 0, shared);
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  clSVMFree(context, shared);
  OK(clReleaseKernel(kernel));
  Close();
}
