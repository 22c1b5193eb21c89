// Defect: Dispatches access words past the range of a descriptor, past a buffer, or past an
// address.
// Fix: The dispatch ends with the buffer.
#include "common/vulkan_compute.h"
#include "common/vulkan_dispatches.h"
#include "common/vulkan_pushed_addresses.h"
#include "shaders/part.comp.h"
#include "shaders/some.comp.h"

// Defect: A shader that changes one word for each invocation is dispatched over more words than the
// range of its descriptor has, although the buffer has them.
// Fix: The descriptor shows as many words as there are invocations.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatch at PAST
// EXPECT-FACT binding=0
// EXPECT-FACT descriptor_bytes=1024
// EXPECT-FACT outside_bytes=1024
// EXPECT-FACT vuid=VUID-vkCmdDispatch-storageBuffers-06936
static void DispatchPastTheRange() {
  Open();
  const Compute part = MakeCompute(part_comp, sizeof(part_comp)), scale = MakeCompute(),
                some = MakeCompute(some_comp, sizeof(some_comp));
  const Buffer words = MakeBuffer(4096, kStorage), few = MakeBuffer(512, kStorage);
#ifdef DEFECT
  const VkDeviceSize bytes = 1024;
#else
  const VkDeviceSize bytes = 2048;
#endif
  const VkDescriptorBufferInfo info = {words.handle, 1024, bytes};
  const VkWriteDescriptorSet write = Write(part.set, 0, &info);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  SetBuffers(scale, few.handle, words.handle);
  SetBuffers(some, words.handle, few.handle);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, few.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(part);
  // @PAST
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  // The shader compares its index with the length of the shorter array.
  Begin();
  Bind(scale);
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  // What the words are decides whether the shader writes. All are zero.
  Begin();
  vkCmdFillBuffer(commands, words.handle, 512, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(some);
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  for (const Buffer& buffer : {words, few}) Destroy(buffer);
  for (const Compute& compute : {part, scale, some}) Destroy(compute);
  Close();
}

// Defect: The workgroups of a dispatch with a base begin within the range of the descriptor and end
// past it.
// Fix: The range covers the last workgroup.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatchBase at PAST_2
// EXPECT-FACT descriptor_bytes=1280
// EXPECT-FACT first_byte=1024
// EXPECT-FACT outside_bytes=256
// EXPECT-TEXT of 2 x 1 x 1 \(from 4 x 0 x 0 on\) workgroups
// EXPECT-FACT vuid=VUID-vkCmdDispatchBase-storageBuffers-06936
static void BasePastTheRange() {
  Open();
#ifdef DEFECT
  const Tiles tiles = MakeTiles(16, 5);
#else
  const Tiles tiles = MakeTiles(16, 6);
#endif
  Begin();
  Bind(tiles.compute);
  vkCmdDispatch(commands, 2, 1, 1);
  // @PAST_2
  vkCmdDispatchBase(commands, 4, 0, 0, 2, 1, 1);
  // Without a base again, it writes the first two tiles.
  const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                                   VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_WRITE_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  vkCmdDispatch(commands, 2, 1, 1);
  Run();
  Close(tiles);
}

// Defect: The push constants of a dispatch name more words than the buffer has behind the first.
// Fix: The number ends at the end of the buffer.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatch at PAST_3
// EXPECT-FACT binding=0
// EXPECT-FACT outside_bytes=400
// EXPECT-FACT vuid=VUID-vkCmdDispatch-storageBuffers-06936
static void WindowPastTheBuffer() {
  Open();
  const Compute windows = MakeWindows();
  const Buffer words = MakeWords(windows, 4096);
  Begin();
  Bind(windows);
#ifdef DEFECT
  Push(windows, {824, 300});
#else
  Push(windows, {824, 200});
#endif
  // More invocations than words: those behind the number do nothing.
  // @PAST_3
  vkCmdDispatch(commands, 8, 1, 1);
  Run();
  Close(words, windows);
}

// Defect: A shader reads and writes more words from an address on than its buffer has there.
// Fix: The push constants tell the number of words that the buffer has.
// EXPECT error kernel-argument-out-of-bounds vkCmdDispatch at PAST_4
// EXPECT-FACT push_constant_offset=8
// EXPECT-FACT first_byte=32
// EXPECT-FACT resource_bytes=1024
// EXPECT-FACT outside_bytes=32
// EXPECT-FACT vuid=VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819
static void AddressPastTheEnd() {
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
  // @PAST_4
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  Close(words, moved);
}

int main() {
  DispatchPastTheRange();
  BasePastTheRange();
  WindowPastTheBuffer();
  AddressPastTheEnd();
}
