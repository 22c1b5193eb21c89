// Defect: Unified shared memory is never freed.
// Fix: Unified shared memory is freed.
// EXPECT error leak clHostMemAllocINTEL at CREATED
// EXPECT-TEXT call clMemFreeINTEL once
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clHostMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clEnqueueMemsetINTEL);
  // @CREATED
  char* memory = MADE(load_clHostMemAllocINTEL(context, NULL, 4096, 0, &error));
  OK(load_clEnqueueMemsetINTEL(queue, memory, 1, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
#ifndef DEFECT
  OK(load_clMemFreeINTEL(context, memory));
#endif
  Close();
}
