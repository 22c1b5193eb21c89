// Defect: CUDA reads memory of Vulkan while the submission that fills it may still run.
// Fix: wait for the fence of the submission first.
// EXPECT error race cuMemcpyDtoHAsync_v2 at READ
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT semaphore that both APIs share
#include "common/interop.h"

int main() {
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
