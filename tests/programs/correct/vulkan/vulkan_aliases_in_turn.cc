// Two buffers of the same bytes, that are not coherent, are used in turn: what the device wrote by
// the one is not what the host flushed by the other, and needs no flush.
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer upload = MakeNonCoherent(4096), target = MakeBuffer(4096),
               source = MakeStaging(4096);
  VkBuffer alias;
  const VkBufferCreateInfo info = BufferInfo(4096);
  OK(vkCreateBuffer(device, &info, nullptr, &alias));
  OK(vkBindBufferMemory(device, alias, upload.memory, 0));
  const VkMappedMemoryRange range = MappedRange(upload);
  unsigned char* data = Map(upload);
  memset(data, 1, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, upload.handle, target.handle, 1, &all);
  VkMemoryBarrier between = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  between.srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  between.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &between, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, source.handle, alias, 1, &all);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       1, &between, 0, nullptr, 0, nullptr);
  vkCmdCopyBuffer(commands, alias, target.handle, 1, &all);
  CmdHostBarrier();
  Run();
  OK(vkInvalidateMappedMemoryRanges(device, 1, &range));
  CHECK(data[100] == 7);
  // The host's turn again.
  memset(data, 2, 4096);
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Begin();
  vkCmdCopyBuffer(commands, upload.handle, target.handle, 1, &all);
  Run();
  Close(alias, upload, target, source);
}
