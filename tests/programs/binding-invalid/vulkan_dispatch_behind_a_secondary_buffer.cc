// Defect: A pipeline and its set are bound, a secondary command buffer is executed, and a dispatch
// uses the pipeline. The execution has made the state of the primary command buffer undefined.
// Fix: Both are bound again.
// EXPECT error binding-invalid vkCmdDispatch at DISPATCH
// EXPECT-PARTY earlier-command at EXECUTE
// EXPECT-FACT vuid=VUID-vkCmdDispatch-None-08606
#include "common/vulkan_compute.h"
#include "common/vulkan_secondary.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage),
               other = MakeBuffer(4096);
  const Compute compute = MakeCompute();
  SetBuffers(compute, a.handle, b.handle);
  const VkCommandBufferInheritanceInfo inheritance = {
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.pInheritanceInfo = &inheritance;
  const VkCommandBuffer secondary = MakeSecondary();
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, other.handle, 0, VK_WHOLE_SIZE, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
  // @EXECUTE
  vkCmdExecuteCommands(commands, 1, &secondary);
#ifndef DEFECT
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, compute.layout, 0, 1,
                          &compute.set, 0, nullptr);
#endif
  // @DISPATCH
  vkCmdDispatch(commands, 16, 1, 1);
#ifdef DEFECT
  // It does not run: a driver may have no pipeline.
  OK(vkResetCommandBuffer(commands, 0));
#else
  Run();
#endif
  Close(compute, a, b, other);
}
