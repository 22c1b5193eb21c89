// Defect: Binds a descriptor set with a pipeline layout that is destroyed.
// Fix: The layout is destroyed behind the binding.
// EXPECT error use-after-free vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-layout-parameter
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Compute compute = MakeCompute();
  const VkPipelineLayout layout = MakePipelineLayout(compute.set_layout);
  Begin();
#ifdef DEFECT
  vkDestroyPipelineLayout(device, layout, nullptr);
#endif
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &compute.set, 0,
                          nullptr);
#ifndef DEFECT
  vkDestroyPipelineLayout(device, layout, nullptr);
#endif
  OK(vkEndCommandBuffer(commands));
  Close(compute);
}
