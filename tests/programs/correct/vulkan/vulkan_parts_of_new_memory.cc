// Programs write the part of a buffer that they need and copy all of it.
#include "common/vulkan_barriers.h"

int main() {
  Open();
  const Buffer head = MakeBuffer(4096), half = MakeBuffer(4096), slots = MakeBuffer(4096),
               from = MakeStaging(4096), back = MakeStaging(3 * 4096);
  Begin();
  vkCmdFillBuffer(commands, head.handle, 0, 64, 0);
  const VkBufferCopy quarter = {0, 0, 1024};
  vkCmdCopyBuffer(commands, from.handle, half.handle, 1, &quarter);
  vkCmdFillBuffer(commands, slots.handle, 1024, 1024, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const VkBufferCopy first = {0, 0, 4096}, second = {0, 4096, 4096}, third = {0, 8192, 4096};
  vkCmdCopyBuffer(commands, head.handle, back.handle, 1, &first);
  vkCmdCopyBuffer(commands, half.handle, back.handle, 1, &second);
  vkCmdCopyBuffer(commands, slots.handle, back.handle, 1, &third);
  Run();
  for (const Buffer& buffer : {head, half, slots, from, back}) Destroy(buffer);
  Close();
}
