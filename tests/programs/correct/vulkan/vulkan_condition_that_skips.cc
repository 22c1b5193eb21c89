// Conditional rendering skips an indirect dispatch whose number of groups nothing has written.
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_conditions.h"

int main() {
  OpenForConditions();
  const Compute compute = MakeCompute();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Buffer condition = MakeBuffer(256, kCondition);
  const Buffer groups = MakeBuffer(1 << 20, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  SetBuffers(compute, a.handle, b.handle);
  Begin();
  vkCmdFillBuffer(commands, condition.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT,
                VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT);
  const VkConditionalRenderingBeginInfoEXT info = ConditionInfo(condition);
  begin_conditional(commands, &info);
  Bind(compute);
  vkCmdDispatchIndirect(commands, groups.handle, 0);
  end_conditional(commands);
  Run();
  Destroy(compute);
  for (const Buffer& buffer : {a, b, condition, groups}) Destroy(buffer);
  Close();
}
