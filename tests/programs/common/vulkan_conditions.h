// Conditional rendering, on a device that has it.
#pragma once

#include "common/vulkan.h"

[[maybe_unused]] static PFN_vkCmdBeginConditionalRenderingEXT begin_conditional;
[[maybe_unused]] static PFN_vkCmdEndConditionalRenderingEXT end_conditional;

[[maybe_unused]] static void OpenForConditions() {
  static VkPhysicalDeviceConditionalRenderingFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
  features.conditionalRendering = VK_TRUE;
  Open({.extensions = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME}, .features = &features});
  begin_conditional = reinterpret_cast<PFN_vkCmdBeginConditionalRenderingEXT>(
      vkGetDeviceProcAddr(device, "vkCmdBeginConditionalRenderingEXT"));
  end_conditional = reinterpret_cast<PFN_vkCmdEndConditionalRenderingEXT>(
      vkGetDeviceProcAddr(device, "vkCmdEndConditionalRenderingEXT"));
}

constexpr VkBufferUsageFlags kCondition = kCopies | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;

[[maybe_unused]] static VkConditionalRenderingBeginInfoEXT ConditionInfo(const Buffer& buffer,
                                                                         VkDeviceSize offset = 0) {
  VkConditionalRenderingBeginInfoEXT info = {
      VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
  info.buffer = buffer.handle;
  info.offset = offset;
  return info;
}
