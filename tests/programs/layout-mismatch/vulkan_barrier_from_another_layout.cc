// Defect: A barrier of the second form names another old layout than the one that the image is in.
// Fix: The barrier names the layout to which the barrier before it changed the image.
// EXPECT error layout-mismatch vkCmdPipelineBarrier2 at SECOND
// EXPECT-PARTY layout at FIRST
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_GENERAL
// EXPECT-FACT vuid=VUID-VkImageMemoryBarrier2-oldLayout-01197
#include "common/vulkan.h"

int main() {
  VkPhysicalDeviceSynchronization2Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES};
  features.synchronization2 = VK_TRUE;
  Open({.features = &features});
  const Image image = MakeImage(ImageInfo(64, 64));
  VkImageMemoryBarrier2 barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
  barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image.handle;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkDependencyInfo info = {VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  Begin();
  // @FIRST
  vkCmdPipelineBarrier2(commands, &info);
  barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
#ifdef DEFECT
  barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
#endif
  barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  // @SECOND
  vkCmdPipelineBarrier2(commands, &info);
  Run();
  Close(image);
}
