// Defect: A copy of unified shared memory is longer than its destination.
// Fix: A copy of unified shared memory is as long as its destination.
// EXPECT error copy-out-of-bounds clEnqueueMemcpyINTEL at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=8192
// EXPECT-FACT resource_bytes=4096
// EXIT any
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clHostMemAllocINTEL);
  LOAD(clDeviceMemAllocINTEL);
  LOAD(clMemFreeINTEL);
  LOAD(clEnqueueMemsetINTEL);
  LOAD(clEnqueueMemcpyINTEL);
  char* from = MADE(load_clDeviceMemAllocINTEL(context, device, NULL, 8192, 0, &error));
  // @CREATED
  char* to = MADE(load_clHostMemAllocINTEL(context, NULL, 4096, 0, &error));
  OK(load_clEnqueueMemsetINTEL(queue, from, 1, 8192, 0, NULL, NULL));
#ifdef DEFECT
  const size_t size = 8192;
#else
  const size_t size = 4096;
#endif
  // @HERE
  load_clEnqueueMemcpyINTEL(queue, CL_TRUE, to, from, size, 0, NULL, NULL);
  // A driver may refuse the copy, which then does not wait for the fill.
  OK(clFinish(queue));
  load_clMemFreeINTEL(context, from);
  load_clMemFreeINTEL(context, to);
  Close();
}
