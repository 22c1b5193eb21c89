// Defect: A descriptor set layout is destroyed, and a set that was allocated with it is updated.
// Fix: The layout is destroyed after the last update of its sets.
// EXPECT error use-after-free vkUpdateDescriptorSets at UPDATE
// EXPECT-PARTY release at DESTROY
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const Buffer a = MakeBuffer(4096, kStorage, kHostMemory), b = MakeBuffer(4096, kStorage);
  const Compute compute = MakeCompute();
#ifdef DEFECT
  // @DESTROY
  vkDestroyDescriptorSetLayout(device, compute.set_layout, nullptr);
#endif
  const VkDescriptorBufferInfo buffers[] = {{a.handle, 0, VK_WHOLE_SIZE},
                                            {b.handle, 0, VK_WHOLE_SIZE}};
  const VkWriteDescriptorSet writes[] = {Write(compute.set, 0, &buffers[0]),
                                         Write(compute.set, 1, &buffers[1])};
  // @UPDATE
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  vkDestroyDescriptorPool(device, compute.pool, nullptr);
  vkDestroyPipeline(device, compute.pipeline, nullptr);
  vkDestroyPipelineLayout(device, compute.layout, nullptr);
#ifndef DEFECT
  vkDestroyDescriptorSetLayout(device, compute.set_layout, nullptr);
#endif
  Close(a, b);
}
