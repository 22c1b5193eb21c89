// Defect: Two threads allocate sets from one descriptor pool at the same time.
// Fix: Both threads hold a mutex during their calls.
// EXPECT error sync-object-misuse vkAllocateDescriptorSets at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkAllocateDescriptorSets
// EXIT any
#include "common/vulkan_threads.h"
#include "common/vulkan_sets.h"

static VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
static VkDescriptorSet sets[2];

static void Second() {
#ifndef DEFECT
  const std::lock_guard lock(the_mutex);
#endif
  // @SECOND
  OK(vkAllocateDescriptorSets(device, &allocate, &sets[1]));
}

int main() {
  OpenForThreads();
  const OneSet made = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = 2;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  OK(vkCreateDescriptorPool(device, &info, nullptr, &allocate.descriptorPool));
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &made.set_layout;
  CallInside("vkAllocateDescriptorSets", [] { RunBeside(Second); });
  {
#ifndef DEFECT
    const std::lock_guard lock(the_mutex);
#endif
    // @FIRST
    OK(vkAllocateDescriptorSets(device, &allocate, &sets[0]));
  }
  JoinSecond();
  Close(allocate.descriptorPool, made);
}
