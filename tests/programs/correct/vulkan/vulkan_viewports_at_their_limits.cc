// Viewports that begin left of the attachment, stand upside down, have equal or reversed depths, or are as large as
// the device allows; scissors that are empty or reach as far as they can.
#include "common/vulkan.h"

int main() {
  Open();
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  const VkPhysicalDeviceLimits& limits = properties.limits;
  const float width = static_cast<float>(limits.maxViewportDimensions[0]);
  const float height = static_cast<float>(limits.maxViewportDimensions[1]);
  const VkViewport viewports[] = {
      {0, 0, 64, 64, 0, 1},
      {-10.5f, -20, 0.25f, 64, 1, 0},
      {0, 64, 64, -64, 0.5f, 0.5f},
      {0, 0, width, height, 0, 1},
      {limits.viewportBoundsRange[0], limits.viewportBoundsRange[0], width, 0, 0, 1},
      {limits.viewportBoundsRange[1] - 1, limits.viewportBoundsRange[1], 1, 0, 0, 1},
      {0, height, width, -height, 0, 0},
  };
  const VkRect2D scissors[] = {
      {{0, 0}, {64, 64}},
      {{0, 0}, {0, 0}},
      {{INT32_MAX, INT32_MAX}, {0, 0}},
      {{0, 0}, {INT32_MAX, INT32_MAX}},
      {{1, 1}, {INT32_MAX - 1, INT32_MAX - 1}},
  };
  Begin();
  for (const VkViewport& viewport : viewports) {
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetViewportWithCount(commands, 1, &viewport);
  }
  for (const VkRect2D& scissor : scissors) {
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdSetScissorWithCount(commands, 1, &scissor);
  }
  OK(vkEndCommandBuffer(commands));
  Close();
}
