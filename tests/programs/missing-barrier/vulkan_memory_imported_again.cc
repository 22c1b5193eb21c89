// Defect: A buffer of exported memory is read while a buffer of the same memory, which the device
// has imported again, is written: no barrier orders the two.
// Fix: A barrier for all of the memory orders the two.
// EXPECT error missing-barrier vkCmdCopyBuffer at READ
// EXPECT-PARTY earlier-access at WRITE
// EXPECT-FACT hazard=RAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_exports.h"

int main() {
  OpenForExports();
  const VkBuffer exported = MakeExternal(4096, kOpaque), again = MakeExternal(4096, kOpaque);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, exported, &needs);
  const uint32_t type = MemoryType(needs.memoryTypeBits, 0);
  const VkDeviceMemory memory = AllocateForExport(needs.size, type);
  OK(vkBindBufferMemory(device, exported, memory, 0));
  VkImportMemoryFdInfoKHR import;
  VkMemoryAllocateInfo info = ImportOf(memory, &import);
  info.allocationSize = needs.size;
  info.memoryTypeIndex = type;
  VkDeviceMemory imported;
  OK(vkAllocateMemory(device, &info, nullptr, &imported));
  OK(vkBindBufferMemory(device, again, imported, 0));
  const Buffer target = MakeBuffer(1024);
  const VkBufferCopy first = {0, 0, 1024};
  Begin();
  // Beside the bytes that the copy reads.
  vkCmdFillBuffer(commands, again, 2048, 1024, 1);
  // @WRITE
  vkCmdFillBuffer(commands, again, 0, 1024, 2);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @READ
  vkCmdCopyBuffer(commands, exported, target.handle, 1, &first);
  Run();
  Close(exported, again, imported, memory, target);
}
