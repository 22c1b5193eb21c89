// Defect access_without_its_stage: A barrier makes the copy visible to shaders, but names the stage
// of the copy as its destination: no copy makes that access, so that nothing becomes visible to the
// shaders.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-dstAccessMask-02816
// Defect without_synchronization2: A barrier of synchronization2 is recorded on a device that was
// created without the feature synchronization2.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier2 at BARRIER_2
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier2-synchronization2-03848
// EXIT any
// Defect layout_without_its_feature: A barrier changes an image to
// VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, on a device without the feature synchronization2.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER_3
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier-synchronization2-07794
// EXIT any
// Defect stages_of_another_queue: A command buffer for the transfer queue names the fragment shader
// as the reader of its copy. Its queue has no such stage.
// EXPECT error sync-object-misuse vkCmdPipelineBarrier at BARRIER_4
// EXPECT-FACT vuid=VUID-vkCmdPipelineBarrier-dstStageMask-06462
// Fix: The barrier has stages, accesses and layouts that its queue and its device have.
#include "common/vulkan.h"
#include "common/vulkan_events.h"

// Fix: The stage of the shaders is the destination.
static void AccessWithoutItsStage() {
  Open();
  const Buffer source = MakeStaging(4096), target = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  VkPipelineStageFlags readers = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
#ifdef DEFECT_access_without_its_stage
  readers = VK_PIPELINE_STAGE_TRANSFER_BIT;
#endif
  Begin();
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // @BARRIER
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, readers, 0, 1, &barrier, 0,
                       nullptr, 0, nullptr);
  Run();
  Close(source, target);
}

// Fix: The device is created with the feature.
static void WithoutSynchronization2() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
#ifndef DEFECT_without_synchronization2
  features.synchronization2 = VK_TRUE;
#endif
  Open({.features = &features});
  const VkMemoryBarrier2 barrier = CopyBarrier2();
  const VkDependencyInfo dependency = DependencyOf(&barrier);
  Begin();
  // @BARRIER_2
  vkCmdPipelineBarrier2(commands, &dependency);
  OK(vkEndCommandBuffer(commands));
  Close();
}

// Fix: The barrier changes the image to VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL.
static void LayoutWithoutItsFeature() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = MakeImage(info);
  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
#ifdef DEFECT_layout_without_its_feature
  layout = VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
#endif
  Begin();
  const VkImageMemoryBarrier barrier = ImageBarrier(
      image.handle, VK_IMAGE_LAYOUT_UNDEFINED, layout, 0, VK_ACCESS_SHADER_READ_BIT);
  // @BARRIER_3
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1,
                       &barrier);
  OK(vkEndCommandBuffer(commands));
  Close(image);
}

// Fix: The barrier orders what the transfer queue executes; a semaphore orders the other queue.
static void StagesOfAnotherQueue() {
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
#ifdef DEFECT_stages_of_another_queue
  readers = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
#endif
  OK(vkBeginCommandBuffer(copies, &begin));
  // @BARRIER_4
  vkCmdPipelineBarrier(copies, VK_PIPELINE_STAGE_TRANSFER_BIT, readers, 0, 0, nullptr, 0, nullptr,
                       0, nullptr);
  OK(vkEndCommandBuffer(copies));
  Close(other_pool);
}

int main() {
  AccessWithoutItsStage();
  WithoutSynchronization2();
  LayoutWithoutItsFeature();
  StagesOfAnotherQueue();
}
