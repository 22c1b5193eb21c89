// Defect: the stream does not wait for the semaphore that Vulkan signals behind its copy: the next
// fill may come before the copy has read.
// Fix: wait for it in the stream.
// EXPECT error race cuMemsetD8Async at NEXT
// EXPECT-PARTY pending-command at COPY
// EXPECT-FACT hazard=WAR
#include "common/interop.h"

int main() {
  OpenBoth(true);
  const SharedBuffer buffer = MakeShared(65536);
  const Buffer target = MakeBuffer(65536);
  const Import imported = ImportBuffer(buffer);
  const SharedSemaphore filled = MakeSharedSemaphore(false), copied = MakeSharedSemaphore(false);
  CU(cuMemsetD8Async(imported.pointer, 5, 65536, stream));
  SignalInStream(filled);
  Begin();
  const VkBufferCopy region = {0, 0, 65536};
  // @COPY
  vkCmdCopyBuffer(commands, buffer.handle, target.handle, 1, &region);
  OK(vkEndCommandBuffer(commands));
  SubmitShared(filled.vulkan, 0, copied.vulkan, 0);
#ifndef DEFECT
  WaitInStream(copied);
#endif
  // @NEXT
  CU(cuMemsetD8Async(imported.pointer, 6, 65536, stream));
  CU(cuStreamSynchronize(stream));
  OK(vkQueueWaitIdle(queue));
  Release(imported);
  Destroy(filled);
  Destroy(copied);
  Destroy(target);
  Destroy(buffer);
  CloseBoth();
}
