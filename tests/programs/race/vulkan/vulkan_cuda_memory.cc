// Defect: Vulkan and CUDA use the same memory, and one of them does not wait for the other one.
// Fix: The host waits between the two.
#include "common/interop.h"

// Defect: CUDA reads memory of Vulkan while the submission that fills it may still run.
// Fix: wait for the fence of the submission first.
// EXPECT error race cuMemcpyDtoHAsync_v2 at READ
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT semaphore that both APIs share
static void NoHostWait() {
  OpenBoth();
  const SharedBuffer buffer = MakeShared(65536);
  const Import imported = ImportBuffer(buffer);
  void* result;
  CU(cuMemAllocHost(&result, 4096));
  VkFence fence;
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  OK(vkCreateFence(device, &info, nullptr, &fence));
  Begin();
  // @FILL
  vkCmdFillBuffer(commands, buffer.handle, 0, 65536, 0x01010101);
  OK(vkEndCommandBuffer(commands));
  SubmitShared(VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, fence);
#ifndef DEFECT
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, ~0ull));
#endif
  // @READ
  CU(cuMemcpyDtoHAsync(result, imported.pointer + 8192, 4096, stream));
  CU(cuStreamSynchronize(stream));
  OK(vkQueueWaitIdle(queue));
  CU(cuMemFreeHost(result));
  Release(imported);
  vkDestroyFence(device, fence, nullptr);
  Destroy(buffer);
  CloseBoth();
}

// Defect: Vulkan copies from memory that CUDA may still fill.
// Fix: wait for the stream first.
// EXPECT error race vkCmdCopyBuffer at COPY
// EXPECT-PARTY pending-command at FILL_2
// EXPECT-FACT hazard=RAW
static void NoStreamWait() {
  OpenBoth();
  const SharedBuffer buffer = MakeShared(65536);
  const Buffer target = MakeBuffer(65536);
  const Import imported = ImportBuffer(buffer);
  // @FILL_2
  CU(cuMemsetD8Async(imported.pointer, 5, 65536, stream));
#ifndef DEFECT
  CU(cuStreamSynchronize(stream));
#endif
  Begin();
  const VkBufferCopy region = {0, 0, 65536};
  // @COPY
  vkCmdCopyBuffer(commands, buffer.handle, target.handle, 1, &region);
  Run();
  CU(cuStreamSynchronize(stream));
  Release(imported);
  Destroy(target);
  Destroy(buffer);
  CloseBoth();
}

int main() {
  NoHostWait();
  NoStreamWait();
}
