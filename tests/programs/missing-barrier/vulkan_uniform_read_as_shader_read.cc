// Defect: A barrier between a copy and a dispatch names VK_ACCESS_SHADER_READ_BIT, but the dispatch
// reads a uniform buffer.
// Fix: The barrier names VK_ACCESS_UNIFORM_READ_BIT.
// EXPECT error missing-barrier vkCmdDispatch at DISPATCH
// EXPECT-PARTY earlier-access at COPY
// EXPECT-FACT later_access=VK_ACCESS_2_UNIFORM_READ_BIT
#include "common/vulkan_compute.h"
#include "shaders/uniform.comp.h"

int main() {
  Open();
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
  // @COPY
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
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
  Run();
  Close(compute, source, given, made);
}
