// With the feature maintenance4 a push constant must be written before a shader reads it when it
// runs: one that stands behind a branch which is not taken is not written, and none for an indirect
// dispatch of no groups.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "shaders/branch.comp.h"

int main() {
  VkPhysicalDeviceMaintenance4Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
  features.maintenance4 = VK_TRUE;
  Open({.features = &features});
  const Compute compute = MakeCompute(branch_comp, sizeof(branch_comp),
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8);
  const Buffer words = MakeBuffer(4096, kStorage);
  const Buffer groups = MakeBuffer(16, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  SetBuffers(compute, words.handle, words.handle);
  Begin();
  vkCmdFillBuffer(commands, groups.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  Bind(compute);
  vkCmdDispatchIndirect(commands, groups.handle, 0);
  const uint32_t mode = 0;
  vkCmdPushConstants(commands, compute.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &mode);
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  Close(compute, words, groups);
}
