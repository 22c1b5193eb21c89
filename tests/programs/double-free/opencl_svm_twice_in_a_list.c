// Defect: One clEnqueueSVMFree names an allocation twice.
// Fix: It names each allocation once.
// EXPECT error double-free clEnqueueSVMFree at HERE
// EXPECT-FACT argument=svm_pointers[2]
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int zero = 0;
  void* memory[2];
  for (int i = 0; i < 2; ++i) {
    memory[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    if (memory[i] == NULL) return 1;
    OK(clEnqueueSVMMemFill(queue, memory[i], &zero, sizeof(zero), 4096, 0, NULL, NULL));
  }
#ifdef DEFECT
  void* freed[] = {memory[0], memory[1], memory[0]};
#else
  void* freed[] = {memory[0], memory[1]};
#endif
  // @HERE
  OK(clEnqueueSVMFree(queue, sizeof(freed) / sizeof(freed[0]), freed, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  Close();
}
