// Defect: A command buffer for the transfer queue names the fragment shader as the reader of its
// copy. Its queue has no such stage.
// Fix: The barrier orders what the transfer queue executes; a semaphore orders the other queue.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-dstStageMask-06462
#include "common/vulkan.h"

int main() {
  Wanted wanted;
  wanted.second_family = true;
  wanted.test_device = true;
  Open(wanted);
  uint32_t count = 8;
  VkQueueFamilyProperties families[8];
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  NEEDS((families[SecondFamily()].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = SecondFamily();
  VkCommandPool other_pool;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &other_pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = other_pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer copies;
  OK(vkAllocateCommandBuffers(device, &allocate, &copies));
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VkPipelineStageFlags readers = VK_PIPELINE_STAGE_TRANSFER_BIT;
#ifdef DEFECT
  readers = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
#endif
  OK(vkBeginCommandBuffer(copies, &begin));
  // @BARRIER
  vkCmdPipelineBarrier(copies, VK_PIPELINE_STAGE_TRANSFER_BIT, readers, 0, 0, nullptr, 0, nullptr,
                       0, nullptr);
  OK(vkEndCommandBuffer(copies));
  Close(other_pool);
}
