// Defect: Shared memory of a driver before OpenCL 2.0 is freed twice.
// Fix: Shared memory of a driver before OpenCL 2.0 is freed once.
// EXPECT error double-free clSVMFreeARM at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD_DECLARED(clSVMAllocARM);
  LOAD_DECLARED(clSVMFreeARM);
  LOAD_DECLARED(clEnqueueSVMMemFillARM);
  // @CREATED
  void* memory = load_clSVMAllocARM(context, CL_MEM_READ_WRITE, 4096, 0);
  OK(load_clEnqueueSVMMemFillARM(queue, memory, "ab", 2, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  load_clSVMFreeARM(context, memory);
#ifdef DEFECT
  // @HERE
  load_clSVMFreeARM(context, memory);  // again
#endif
  Close();
}
