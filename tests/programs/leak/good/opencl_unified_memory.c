// Unified shared memory is freed.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clHostMemAllocINTEL);
  LOAD(clDeviceMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clMemBlockingFreeINTEL);
  LOAD(clEnqueueMemsetINTEL);
  LOAD(clEnqueueMemcpyINTEL);
  char* memory = MADE(load_clHostMemAllocINTEL(context, NULL, 4096, 0, &error));
  OK(load_clEnqueueMemsetINTEL(queue, memory, 1, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(load_clMemFreeINTEL(context, memory));
  Close();
}
