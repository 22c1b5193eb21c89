// Copies of buffers and of images, fills, clears, blits and resolves: checked and recorded when the
// program records them.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CmdCopyBuffer {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer source, VkBuffer destination,
              uint32_t count, const VkBufferCopy* regions);
};
struct CmdCopyBuffer2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkCopyBufferInfo2* info);
};
struct CmdCopyImage {
  void Before(VkCall& call, VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
              VkImage destination, VkImageLayout destination_layout, uint32_t count,
              const VkImageCopy* regions);
};
struct CmdCopyImage2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkCopyImageInfo2* info);
};
struct CmdBlitImage {
  void Before(VkCall& call, VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
              VkImage destination, VkImageLayout destination_layout, uint32_t count,
              const VkImageBlit* regions, VkFilter filter);
};
struct CmdBlitImage2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkBlitImageInfo2* info);
};
struct CmdResolveImage {
  void Before(VkCall& call, VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
              VkImage destination, VkImageLayout destination_layout, uint32_t count,
              const VkImageResolve* regions);
};
struct CmdResolveImage2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkResolveImageInfo2* info);
};
// A word that the command writes when the commands before it reached a stage. Markers execute in
// order with each other.
struct CmdWriteBufferMarker {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlagBits stage,
              VkBuffer buffer, VkDeviceSize offset, uint32_t marker);
};
struct CmdWriteBufferMarker2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags2 stage, VkBuffer buffer,
              VkDeviceSize offset, uint32_t marker);
};
struct CmdFillBuffer {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkDeviceSize size, uint32_t data);
};
struct CmdUpdateBuffer {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkDeviceSize size, const void* data);
};
struct CmdCopyQueryPoolResults {
  void Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
              uint32_t count, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize stride,
              VkQueryResultFlags flags);
};
// To memory that the command names by its address.
struct CmdCopyQueryPoolResultsToMemory {
  void Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
              uint32_t count, const void* range, uint32_t range_flags, VkQueryResultFlags flags);
};
struct CmdClearColorImage {
  void Before(VkCall& call, VkCommandBuffer commands, VkImage image, VkImageLayout layout,
              const VkClearColorValue* color, uint32_t count,
              const VkImageSubresourceRange* ranges);
};
struct CmdClearDepthStencilImage {
  void Before(VkCall& call, VkCommandBuffer commands, VkImage image, VkImageLayout layout,
              const VkClearDepthStencilValue* value, uint32_t count,
              const VkImageSubresourceRange* ranges);
};

}  // namespace gpusan::vulkan
