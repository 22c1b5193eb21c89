// Defect: Unified shared memory is freed twice, by the two calls that free it.
// Fix: Unified shared memory is freed once.
// EXPECT error double-free clMemFreeINTEL at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at FREED
// EXIT any
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clDeviceMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clMemBlockingFreeINTEL);
  // @CREATED
  char* memory = MADE(load_clDeviceMemAllocINTEL(context, device, NULL, 4096, 0, &error));
  // @FREED
  OK(load_clMemBlockingFreeINTEL(context, memory));
#ifdef DEFECT
  // @HERE
  load_clMemFreeINTEL(context, memory);
#endif
  Close();
}
