// Defect: A shader reads and writes more words from an address on than its buffer has there.
// Fix: The push constants tell the number of words that the buffer has.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatch at PAST
// EXPECT-FACT push_constant_offset=8
// EXPECT-FACT first_byte=32
// EXPECT-FACT resource_bytes=1024
// EXPECT-FACT outside_bytes=32
// EXPECT-FACT vuid=VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819
#include "common/vulkan_pushed_addresses.h"

int main() {
  OpenForShaders();
  const Pushing moved = MakePushing(moved_comp, sizeof(Moved));
  // The memory has room behind the buffer, so that nothing else is overwritten.
  Buffer words;
  const VkBufferCreateInfo info = BufferInfo(1024, kByAddress);
  OK(vkCreateBuffer(device, &info, nullptr, &words.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, words.handle, &needs);
  words.memory = AllocateAddressed(2 * needs.size, needs.memoryTypeBits);
  OK(vkBindBufferMemory(device, words.handle, words.memory, 0));
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
#ifdef DEFECT
  const uint32_t count = 256;
#else
  const uint32_t count = 248;
#endif
  Bind(moved, Moved{4, count, AddressOf(words.handle) + 16});
  // @PAST
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  Close(words, moved);
}
