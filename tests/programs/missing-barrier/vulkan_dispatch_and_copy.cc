// Defect: A dispatch and a copy or a fill use the same bytes, and no barrier is between them, or
// one for another access.
// Fix: A barrier orders the two accesses.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_dispatches.h"
#include "shaders/some.comp.h"
#include "shaders/uniform.comp.h"

// Defect: A copy reads the buffer that a shader writes as an element of an array of descriptors.
// Fix: The copy reads the buffer that the shader only reads, and the one that it does not use.
// EXPECT warning missing-barrier vkCmdCopyBuffer at COPY
// EXPECT-FACT hazard=RAW
static void CopyBehindAnElementOfAnArray() {
  const Buffer from = MakeBuffer(4096, kStorage), to = MakeBuffer(4096, kStorage),
               unused = MakeBuffer(4096, kStorage), target = MakeBuffer(4096);
  const Compute compute = MakeElements();
  const VkBuffer elements[kElements] = {unused.handle, from.handle, to.handle, unused.handle};
  for (uint32_t i = 0; i < kElements; ++i) SetElement(compute, i, elements[i]);
  Begin();
  for (const VkBuffer buffer : {from.handle, to.handle, unused.handle})
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  Bind(compute);
  vkCmdDispatch(commands, 16, 1, 1);
  const VkBufferCopy first = {0, 0, 2048}, second = {0, 2048, 2048};
#ifdef DEFECT
  const VkBuffer source = to.handle;
#else
  const VkBuffer source = from.handle;
#endif
  // @COPY
  vkCmdCopyBuffer(commands, source, target.handle, 1, &first);
  vkCmdCopyBuffer(commands, unused.handle, target.handle, 1, &second);
  Run();
  Destroy(compute);
  for (const Buffer& buffer : {from, to, unused, target}) Destroy(buffer);
}

// Defect: A dispatch reads the start of a buffer, which was just written, without a barrier. Its
// descriptor shows all of the buffer; the code of the shader says which bytes it reads.
// Fix: A barrier stands between the write and the dispatch.
// EXPECT error missing-barrier vkCmdDispatch at DISPATCH
// EXPECT-PARTY earlier-access at COPY_2
// EXPECT-FACT hazard=RAW
// EXPECT-FACT byte_range=0 to 1023
static void StartOfABuffer() {
  const Compute compute = MakeCompute();
  const Buffer source = MakeStaging(1024), input = MakeBuffer(4096, kStorage),
               output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  const VkBufferCopy start = {0, 0, 1024};
  Begin();
  // @COPY_2
  vkCmdCopyBuffer(commands, source.handle, input.handle, 1, &start);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
#endif
  Bind(compute);
  // @DISPATCH
  vkCmdDispatch(commands, 4, 1, 1);
  Run();
  for (const Buffer& buffer : {source, input, output}) Destroy(buffer);
  Destroy(compute);
}

// Defect: A barrier between a copy and a dispatch names VK_ACCESS_SHADER_READ_BIT, but the dispatch
// reads a uniform buffer.
// Fix: The barrier names VK_ACCESS_UNIFORM_READ_BIT.
// EXPECT error missing-barrier vkCmdDispatch at DISPATCH_2
// EXPECT-PARTY earlier-access at COPY_3
// EXPECT-FACT later_access=VK_ACCESS_2_UNIFORM_READ_BIT
static void UniformReadAsShaderRead() {
  const Buffer source = MakeStaging(256),
               given = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
               made = MakeBuffer(4096, kStorage);
  const Compute compute =
      MakeCompute(uniform_comp, sizeof(uniform_comp), VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
  const VkDescriptorBufferInfo infos[] = {{given.handle, 0, VK_WHOLE_SIZE},
                                          {made.handle, 0, VK_WHOLE_SIZE}};
  VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &infos[0]),
                                   Write(compute.set, 1, &infos[1])};
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  const VkBufferCopy all = {0, 0, 256};
  Begin();
  // @COPY_3
  vkCmdCopyBuffer(commands, source.handle, given.handle, 1, &all);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
#ifdef DEFECT
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
#else
  barrier.dstAccessMask = VK_ACCESS_UNIFORM_READ_BIT;
#endif
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  Bind(compute);
  // @DISPATCH_2
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Destroy(compute, source, given, made);
}

// Defect: A dispatch writes those words of the first half of a buffer that its input selects, and a
// fill writes the same half, without a barrier. The input may select none.
// Fix: The fill writes the second half.
// EXPECT warning missing-barrier vkCmdFillBuffer at FILL
// EXPECT-PARTY earlier-access at DISPATCH_3
static void WordsThatDataSelects() {
  const Compute compute = MakeCompute(some_comp, sizeof(some_comp));
  const Buffer input = MakeBuffer(4096, kStorage), output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  Begin();
  vkCmdFillBuffer(commands, input.handle, 0, VK_WHOLE_SIZE, 1);
  Run();
  VkDeviceSize offset = 2048;
#ifdef DEFECT
  offset = 0;
#endif
  Begin();
  Bind(compute);
  // @DISPATCH_3
  vkCmdDispatch(commands, 8, 1, 1);
  // @FILL
  vkCmdFillBuffer(commands, output.handle, offset, 2048, 7);
  Run();
  Destroy(input, output, compute);
}

// Defect: Copies the result of a dispatch without a barrier between them.
// Fix: A barrier makes what the dispatch writes visible to the copy.
// EXPECT error missing-barrier vkCmdCopyBuffer at COPY_4
// EXPECT-PARTY earlier-access at DISPATCH_4
// EXPECT-FACT earlier_stages=VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT
// EXPECT-FACT later_access=VK_ACCESS_2_TRANSFER_READ_BIT
static void DownloadOfADispatch() {
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               result = MakeStaging(4096, 0);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  Bind(compute);
  // @DISPATCH_4
  vkCmdDispatch(commands, 16, 1, 1);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
#endif
  // @COPY_4
  vkCmdCopyBuffer(commands, b.handle, result.handle, 1, &all);
  Run();
  Destroy(compute, a, b, result);
}

int main() {
  Open();
  CopyBehindAnElementOfAnArray();
  StartOfABuffer();
  UniformReadAsShaderRead();
  WordsThatDataSelects();
  DownloadOfADispatch();
  Close();
}
