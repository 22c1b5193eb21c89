// Defect of_arm: Shared memory of a driver before OpenCL 2.0 is freed twice.
// EXPECT error double-free clSVMFreeARM at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
// Defect unified: Unified shared memory is freed twice, by the two calls that free it.
// EXPECT error double-free clMemFreeINTEL at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at FREED
// EXIT any
// Fix: The memory is freed once.
#include "common/extensions.h"

// Fix: Shared memory of a driver before OpenCL 2.0 is freed once.
static void OfArm(void) {
  LOAD_DECLARED(clSVMAllocARM);
  LOAD_DECLARED(clSVMFreeARM);
  LOAD_DECLARED(clEnqueueSVMMemFillARM);
  // @CREATED
  void* memory = load_clSVMAllocARM(context, CL_MEM_READ_WRITE, 4096, 0);
  OK(load_clEnqueueSVMMemFillARM(queue, memory, "ab", 2, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  load_clSVMFreeARM(context, memory);
#ifdef DEFECT_of_arm
  // @HERE
  load_clSVMFreeARM(context, memory);  // again
#endif
}

// Fix: Unified shared memory is freed once.
static void Unified(void) {
  LOAD(clDeviceMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clMemBlockingFreeINTEL);
  // @CREATED_2
  char* memory = MADE(load_clDeviceMemAllocINTEL(context, device, NULL, 4096, 0, &error));
  // @FREED
  OK(load_clMemBlockingFreeINTEL(context, memory));
#ifdef DEFECT_unified
  // @HERE_2
  load_clMemFreeINTEL(context, memory);
#endif
}

int main(void) {
  OpenExtensions(0);
  OfArm();
  Unified();
  Close();
}
