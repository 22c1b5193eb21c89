// Defect by_the_host: Shared virtual memory is freed twice.
// EXPECT error double-free clSVMFree at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
// Defect in_one_list: One clEnqueueSVMFree names an allocation twice.
// EXPECT error double-free clEnqueueSVMFree at HERE_2
// EXPECT-FACT argument=svm_pointers[2]
// EXIT any
// Fix: Each allocation is freed once.
#include "common/opencl.h"

// Fix: Shared virtual memory is freed once.
static void ByTheHost(void) {
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT_by_the_host
  // @HERE
  clSVMFree(context, shared);
#endif
}

// Fix: It names each allocation once.
static void InOneList(void) {
  const cl_int zero = 0;
  void* memory[2];
  for (int i = 0; i < 2; ++i) {
    memory[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    if (memory[i] == NULL) abort();
    OK(clEnqueueSVMMemFill(queue, memory[i], &zero, sizeof(zero), 4096, 0, NULL, NULL));
  }
#ifdef DEFECT_in_one_list
  void* freed[] = {memory[0], memory[1], memory[0]};
#else
  void* freed[] = {memory[0], memory[1]};
#endif
  // @HERE_2
  OK(clEnqueueSVMFree(queue, sizeof(freed) / sizeof(freed[0]), freed, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
}

int main(void) {
  Open(0);
  ByTheHost();
  InOneList();
  Close();
}
