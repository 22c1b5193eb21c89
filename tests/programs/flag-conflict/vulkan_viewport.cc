// Defect deeper_than_one: The depths of a viewport end at 2.
// EXPECT error flag-conflict vkCmdSetViewportWithCount at VIEWPORT
// EXPECT-FACT vuid=VUID-VkViewport-maxDepth-01235
// EXIT any
// Defect without_a_width: A viewport has no width, and a scissor begins before the first column.
// EXPECT error flag-conflict vkCmdSetViewport at VIEWPORT_2
// EXPECT-FACT vuid=VUID-VkViewport-width-01770
// EXPECT error flag-conflict vkCmdSetScissor at SCISSOR
// EXPECT-FACT vuid=VUID-vkCmdSetScissor-x-00595
// EXIT any
// Defect more_than_scissors: A draw has two viewports and one scissor.
// EXPECT error flag-conflict vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-viewportCount-03419
// EXIT any
// Fix: Viewports and scissors have an area, and as many of them are set.
#include "common/vulkan.h"
#include "common/vulkan_rendering.h"

// Fix: They end at 1.
static void DeeperThanOne() {
  Open();
  Begin();
  VkViewport viewports[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
  uint32_t count = 1;
#ifdef DEFECT_deeper_than_one
  viewports[0].maxDepth = 2;
#endif
  // @VIEWPORT
  vkCmdSetViewportWithCount(commands, count, viewports);
  OK(vkEndCommandBuffer(commands));
  Close();
}

// Fix: The viewport and the scissor are those of the attachment.
static void WithoutAWidth() {
  Open();
  Begin();
  VkViewport viewport = {0, 0, 64, 64, 0, 1};
  VkRect2D scissor = {{0, 0}, {64, 64}};
#ifdef DEFECT_without_a_width
  viewport.width = 0;
  scissor.offset.x = -1;
#endif
  // @VIEWPORT_2
  vkCmdSetViewport(commands, 0, 1, &viewport);
  // @SCISSOR
  vkCmdSetScissor(commands, 0, 1, &scissor);
  OK(vkEndCommandBuffer(commands));
  Close();
}

// Fix: It has two of both.
static void MoreThanScissors() {
  static VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  static VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                               &rendering};
  features.features.multiViewport = VK_TRUE;
  Open({.features = &features});
  const Rendering target = MakeDynamicRendering(
      {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT});
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  const VkRect2D scissor = {{0, 0}, {kPassSize, kPassSize}};
  const VkViewport viewports[] = {viewport, viewport};
  const VkRect2D scissors[] = {scissor, scissor};
  Begin();
  BeginRendering(target, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, target.draws);
  vkCmdSetViewportWithCount(commands, 1, viewports);
  vkCmdSetScissorWithCount(commands, 1, scissors);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdSetViewportWithCount(commands, 2, viewports);
#ifndef DEFECT_more_than_scissors
  vkCmdSetScissorWithCount(commands, 2, scissors);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(target);
}

int main() {
  DeeperThanOne();
  WithoutAWidth();
  MoreThanScissors();
}
