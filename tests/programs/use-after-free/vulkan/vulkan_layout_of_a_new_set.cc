// Defect: Allocates a descriptor set with a layout that is destroyed.
// Fix: The layout is destroyed behind the allocation.
// EXPECT error use-after-free vkAllocateDescriptorSets at ALLOCATE
// EXPECT-FACT vuid=VUID-VkDescriptorSetAllocateInfo-pSetLayouts-parameter
// EXIT any
#include "common/vulkan_compute.h"

int main() {
  Open();
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const uint32_t number = 0;
  const VkDescriptorSetLayout layout = MakeSetLayout(1, &type, &number);
  const VkDescriptorPoolSize size = {type, 1};
  const VkDescriptorPool pool = MakeSetPool(1, &size);
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = pool;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
#ifdef DEFECT
  vkDestroyDescriptorSetLayout(device, layout, nullptr);
#endif
  VkDescriptorSet set;
  // @ALLOCATE
  OK(vkAllocateDescriptorSets(device, &info, &set));
#ifndef DEFECT
  vkDestroyDescriptorSetLayout(device, layout, nullptr);
#endif
  Close(pool);
}
