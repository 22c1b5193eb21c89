// Defect: The program passes the list of shared pointers as NULL.
// Fix: It passes the address of the list.
// EXPECT error call-failed clSetKernelExecInfo at HERE
// EXPECT-TEXT param_value is NULL, but param_value_size is 8
// EXPECT-FACT param_value_size=8
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel fill = NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  if (memory == NULL) abort();
#ifdef DEFECT
  void** list = NULL;
#else
  void** list = &memory;
#endif
  // @HERE
  clSetKernelExecInfo(fill, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(void*), list);
  clSVMFree(context, memory);
  CLOSE(fill);
}
