// Secondary command buffers.
#pragma once

#include "common/vulkan.h"

[[maybe_unused]] static VkCommandBuffer MakeCommandBuffer(VkCommandPool from,
                                                          VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = from;
  allocate.level = level;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

[[maybe_unused]] static VkCommandBuffer MakeSecondary(VkCommandPool from = pool) {
  return MakeCommandBuffer(from, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

// A primary command buffer that executes `secondary`.
[[maybe_unused]] static VkCommandBuffer MakePrimaryOf(VkCommandBuffer secondary,
                                                      VkCommandBufferUsageFlags flags = 0) {
  const VkCommandBuffer made = MakeCommandBuffer(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = flags;
  OK(vkBeginCommandBuffer(made, &begin));
  vkCmdExecuteCommands(made, 1, &secondary);
  OK(vkEndCommandBuffer(made));
  return made;
}

// Begins the recording inside of a render pass, or of dynamic rendering.
[[maybe_unused]] static void BeginSecondary(VkCommandBuffer secondary,
                                            const VkCommandBufferInheritanceInfo& inheritance) {
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
}

// Records a fill of the whole buffer, outside of render passes.
[[maybe_unused]] static void RecordFill(VkCommandBuffer secondary, const Buffer& buffer,
                                        VkCommandBufferUsageFlags flags = 0) {
  const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = flags;
  begin.pInheritanceInfo = &inheritance;
  OK(vkBeginCommandBuffer(secondary, &begin));
  vkCmdFillBuffer(secondary, buffer.handle, 0, VK_WHOLE_SIZE, 1);
  OK(vkEndCommandBuffer(secondary));
}
