// Unified shared memory is freed once.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clHostMemAllocINTEL);
  LOAD(clDeviceMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clMemBlockingFreeINTEL);
  LOAD(clEnqueueMemsetINTEL);
  LOAD(clEnqueueMemcpyINTEL);
  char* memory = MADE(load_clDeviceMemAllocINTEL(context, device, NULL, 4096, 0, &error));
  OK(load_clMemBlockingFreeINTEL(context, memory));
  Close();
}
