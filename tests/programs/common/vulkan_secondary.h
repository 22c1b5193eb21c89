// Secondary command buffers that go on with a render pass, or with dynamic rendering.
#pragma once

#include "common/vulkan.h"

// Of the program's pool.
[[maybe_unused]] static VkCommandBuffer MakeSecondary() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

[[maybe_unused]] static void BeginSecondary(VkCommandBuffer secondary,
                                            const VkCommandBufferInheritanceInfo& inheritance) {
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
}
