// Dynamic rendering in several command buffers.
#pragma once

#include "common/vulkan_rendering.h"

[[maybe_unused]] static VkCommandBuffer MakePrimary() {
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer made;
  OK(vkAllocateCommandBuffers(device, &allocate, &made));
  return made;
}

// Records one rendering into the command buffer.
[[maybe_unused]] static void RecordPart(const Rendering& rendering, VkRenderingFlags flags) {
  BeginRendering(rendering, flags);
  vkCmdEndRendering(commands);
}

// Submits the command buffers in one batch.
[[maybe_unused]] static void SubmitParts(const std::vector<VkCommandBuffer>& parts) {
  VkSubmitInfo info = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = static_cast<uint32_t>(parts.size());
  info.pCommandBuffers = parts.data();
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}
