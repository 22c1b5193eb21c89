// A kernel gets a pointer into shared virtual memory, and another block by way of
// clSetKernelExecInfo.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* data) { data[get_global_id(0)] = 9; }", "fill");
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 128 * sizeof(int), 0);
  int* other = clSVMAlloc(context, CL_MEM_READ_WRITE, 128 * sizeof(int), 0);
  const cl_int zero = 0;
  int result[128];
  OK(clEnqueueSVMMemFill(queue, shared, &zero, sizeof(zero), 128 * sizeof(int), 0, NULL, NULL));
  OK(clSetKernelArgSVMPointer(kernel, 0, shared + 64));
  void* indirect[] = {other};
  OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(indirect), indirect));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, sizeof(result), 0, NULL, NULL));
  printf("%d %d\n", result[63], result[64]);
  clSVMFree(context, other);
  clSVMFree(context, shared);
  CLOSE(kernel);
}
