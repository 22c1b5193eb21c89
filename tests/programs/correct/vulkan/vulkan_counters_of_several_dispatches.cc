// Dispatches count into one buffer by atomics, and append to a list at the place that an atomic gave
// them: nothing is to be ordered between them.
#include "common/vulkan_compute.h"
#include "shaders/count.comp.h"

int main() {
  Open();
  const Compute compute = MakeCompute(count_comp, sizeof(count_comp));
  const Buffer input = MakeBuffer(4096, kStorage, kHostMemory), output = MakeBuffer(4096, kStorage),
               target = MakeBuffer(4096);
  void* data;
  OK(vkMapMemory(device, input.memory, 0, VK_WHOLE_SIZE, 0, &data));
  for (uint32_t i = 0; i < 1024; ++i) static_cast<uint32_t*>(data)[i] = i;
  vkUnmapMemory(device, input.memory);
  SetBuffers(compute, input.handle, output.handle);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  Begin();
  vkCmdFillBuffer(commands, output.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  Bind(compute);
  for (int i = 0; i < 4; ++i) vkCmdDispatch(commands, 4, 1, 1);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  const VkBufferCopy copy = {0, 0, 4096};
  vkCmdCopyBuffer(commands, output.handle, target.handle, 1, &copy);
  Run();
  for (const Buffer& buffer : {input, output, target}) Destroy(buffer);
  Close(compute);
}
