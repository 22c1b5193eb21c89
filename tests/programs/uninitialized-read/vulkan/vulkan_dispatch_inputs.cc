// Defect: Dispatches and copies read buffers of which all or a part was never written.
// Fix: The buffers are written before.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/again.comp.h"
#include "shaders/spread.comp.h"

// Defect: A dispatch copies words of a storage buffer that nothing has written.
// Fix: A command fills the buffer before.
// EXPECT warning uninitialized-read vkCmdDispatch at DISPATCH
static void StorageBufferThatNothingWrote() {
  const Compute compute =
      MakeCompute(again_comp, sizeof(again_comp), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const Buffer input = MakeBuffer(256, kStorage), output = MakeBuffer(256, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 7);
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT);
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Destroy(compute, input, output);
}

// Defect: A dispatch copies words of a uniform buffer that nothing has written.
// Fix: A command fills the buffer before.
// EXPECT warning uninitialized-read vkCmdDispatch at DISPATCH_2
static void UniformBufferThatNothingWrote() {
  const Compute compute =
      MakeCompute(spread_comp, sizeof(spread_comp), VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const Buffer input = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
               output = MakeBuffer(256, kStorage);
  const VkDescriptorBufferInfo infos[] = {{input.handle, 0, VK_WHOLE_SIZE},
                                          {output.handle, 0, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]),
                                   Write(compute.set, 1, &infos[1])};
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 7);
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_UNIFORM_READ_BIT);
  Bind(compute);
  // @DISPATCH_2
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Destroy(compute, input, output);
}

// Defect: A dispatch reads its number of groups from a buffer that nothing has written.
// Fix: A command writes the number.
// EXPECT warning uninitialized-read vkCmdDispatchIndirect at DISPATCH_3
static void GroupsThatNothingWrote() {
  const Compute compute = MakeCompute();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Buffer groups = MakeBuffer(1 << 20, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  SetBuffers(compute, a.handle, b.handle);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, groups.handle, 0, sizeof(VkDispatchIndirectCommand), 0);
#endif
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  Bind(compute);
  // @DISPATCH_3
  vkCmdDispatchIndirect(commands, groups.handle, 0);
  Run();
  Destroy(compute);
  for (const Buffer& buffer : {a, b, groups}) Destroy(buffer);
}

// Defect: Copies from a buffer that nothing has written.
// Fix: Copies from a buffer that was filled first.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY
static void CopyOfANewBuffer() {
  const Buffer a = MakeBuffer(4096), b = MakeBuffer(4096);
  Begin();
#ifndef DEFECT
  vkCmdFillBuffer(commands, a.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, a.handle, b.handle, 1, &all);
  Run();
  Destroy(a, b);
}

// Defect: vkCmdFillBuffer gets the number of words as its size, and all bytes are copied.
// Fix: vkCmdFillBuffer gets the size in bytes.
// EXPECT warning uninitialized-read vkCmdCopyBuffer at COPY_2
// EXPECT-FACT written_bytes=1024
static void FillCountsElements() {
  const Buffer sums = MakeBuffer(4096), back = MakeStaging(4096);
#ifdef DEFECT
  const VkDeviceSize size = 4096 / sizeof(uint32_t);
#else
  const VkDeviceSize size = 4096;
#endif
  Begin();
  vkCmdFillBuffer(commands, sums.handle, 0, size, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY_2
  vkCmdCopyBuffer(commands, sums.handle, back.handle, 1, &all);
  Run();
  Destroy(back, sums);
}

int main() {
  Open();
  StorageBufferThatNothingWrote();
  UniformBufferThatNothingWrote();
  GroupsThatNothingWrote();
  CopyOfANewBuffer();
  FillCountsElements();
  Close();
}
