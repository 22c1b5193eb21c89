// Defect: Shared memory with CL_MEM_SVM_ATOMICS is not fine-grained.
// Fix: The memory is plain coarse-grained memory.
// EXPECT warning call-failed clSVMAlloc CL_MEM_OBJECT_ALLOCATION_FAILURE at HERE
// EXPECT-TEXT CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS;
#else
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @HERE
  void* shared = clSVMAlloc(context, flags, 4096, 0);
  if (shared != NULL) clSVMFree(context, shared);
  Close();
}
