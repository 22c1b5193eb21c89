// Defect: A copy reads a buffer that a shader has written by an address in its push constants, and no
// barrier orders the two.
// Fix: A barrier stands between them.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-FACT hazard=RAW
// EXPECT-FACT earlier_byte_range=64 to 319
#include "common/vulkan_barriers.h"
#include "common/vulkan_pushed_addresses.h"

int main() {
  OpenForShaders();
  const Pushing number = MakePushing(address_comp, sizeof(VkDeviceAddress));
  const Buffer words = MakeAddressedBuffer(1024), target = MakeBuffer(1024);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Dispatch(number, AddressOf(words.handle) + 64, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  const VkBufferCopy all = {0, 0, 1024};
  // @COPY
  vkCmdCopyBuffer(commands, words.handle, target.handle, 1, &all);
  Run();
  Close(words, target, number);
}
