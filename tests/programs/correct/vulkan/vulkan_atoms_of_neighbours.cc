// Two buffers share memory that is not coherent, each in atoms of its own: one is written and
// flushed while work that reads the other is pending; what is flushed is rounded out to atoms, and
// the last one ends with the memory.
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const VkBufferCreateInfo info = BufferInfo(1000);
  VkBuffer buffers[2];
  VkMemoryRequirements needs;
  for (VkBuffer& buffer : buffers) OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  vkGetBufferMemoryRequirements(device, buffers[0], &needs);
  const VkDeviceSize second = (needs.size + 255) / 256 * 256;
  const VkDeviceSize end = needs.size += second;
  const VkDeviceMemory memory = AllocateNonCoherent(needs);
  OK(vkBindBufferMemory(device, buffers[0], memory, 0));
  OK(vkBindBufferMemory(device, buffers[1], memory, second));
  const Buffer target = MakeBuffer(2000);
  void* data;
  OK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data));
  char* bytes = static_cast<char*>(data);
  VkMappedMemoryRange range = {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
  range.memory = memory;
  memset(bytes, 1, 1000);
  range.size = 1024;  // 1000, rounded up
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  const VkFence fence = MakeFence();
  Begin();
  const VkBufferCopy first = {0, 0, 1000};
  vkCmdCopyBuffer(commands, buffers[0], target.handle, 1, &first);
  Submit(fence);
  // The other one meanwhile.
  memset(bytes + second + 900, 2, 100);
  range.offset = second + 896;
  range.size = end - range.offset;  // up to the end of the memory
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  memset(bytes + second, 2, 900);
  range.offset = second;
  range.size = VK_WHOLE_SIZE;
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  Begin();
  const VkBufferCopy behind = {0, 1000, 1000};
  vkCmdCopyBuffer(commands, buffers[1], target.handle, 1, &behind);
  Run();
  vkUnmapMemory(device, memory);
  vkDestroyFence(device, fence, nullptr);
  for (VkBuffer buffer : buffers) vkDestroyBuffer(device, buffer, nullptr);
  Close(memory, target);
}
