// Defect: A draw has two viewports and one scissor.
// Fix: It has two of both.
// EXPECT error flag-conflict vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-viewportCount-03419
// EXIT any
#include "common/vulkan_rendering.h"

int main() {
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
#ifndef DEFECT
  vkCmdSetScissorWithCount(commands, 2, scissors);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(target);
}
