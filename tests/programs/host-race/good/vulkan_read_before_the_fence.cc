// The result is mapped and read when the work that writes it is complete.
#include "common/vulkan_host.h"

int main() {
  Open();
  const Buffer readback = MakeStaging(4096, 0);
  const VkFence fence = MakeFence();
  void* data;
  unsigned char first;
  Begin();
  // @COPY
  vkCmdFillBuffer(commands, readback.handle, 0, VK_WHOLE_SIZE, 0x07070707);
  CmdHostBarrier();
  Submit(fence);
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  // @MAP
  OK(vkMapMemory(device, readback.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memcpy(&first, data, 1);
  // @UNMAP
  vkUnmapMemory(device, readback.memory);
  vkDestroyFence(device, fence, nullptr);
  Destroy(readback);
  Close();
}
