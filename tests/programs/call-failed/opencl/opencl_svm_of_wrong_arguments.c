// Defect: Shared virtual memory is allocated with an alignment that is no power of two, and with
// atomics in coarse-grained memory.
// Fix: The arguments are valid.
#include "common/opencl.h"

// Defect: Shared virtual memory is allocated with an alignment that is not a power of two.
// Fix: The alignment is a power of two.
// EXPECT warning call-failed clSVMAlloc CL_MEM_OBJECT_ALLOCATION_FAILURE at HERE
// EXPECT-TEXT alignment is 48, which is not a power of two
static void SvmAlignment(void) {
#ifdef DEFECT
  const cl_uint alignment = 48;
#else
  const cl_uint alignment = 64;
#endif
  // @HERE
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, alignment);
  if (shared != NULL) clSVMFree(context, shared);
}

// Defect: Shared memory with CL_MEM_SVM_ATOMICS is not fine-grained.
// Fix: The memory is plain coarse-grained memory.
// EXPECT warning call-failed clSVMAlloc CL_MEM_OBJECT_ALLOCATION_FAILURE at HERE_2
// EXPECT-TEXT CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER
static void SvmAtomicsOfCoarseMemory(void) {
#ifdef DEFECT
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS;
#else
  const cl_svm_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @HERE_2
  void* shared = clSVMAlloc(context, flags, 4096, 0);
  if (shared != NULL) clSVMFree(context, shared);
}

int main(void) {
  Open(0);
  SvmAlignment();
  SvmAtomicsOfCoarseMemory();
  Close();
}
