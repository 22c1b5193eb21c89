// Copies of buffers and of images, fills, clears, blits and resolves: checked and recorded when the
// program records them.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CmdCopyBuffer {
  BeforeOf<PFN_vkCmdCopyBuffer> Before;
};
struct CmdCopyBuffer2 {
  BeforeOf<PFN_vkCmdCopyBuffer2> Before;
};
struct CmdCopyImage {
  BeforeOf<PFN_vkCmdCopyImage> Before;
};
struct CmdCopyImage2 {
  BeforeOf<PFN_vkCmdCopyImage2> Before;
};
struct CmdBlitImage {
  BeforeOf<PFN_vkCmdBlitImage> Before;
};
struct CmdBlitImage2 {
  BeforeOf<PFN_vkCmdBlitImage2> Before;
};
struct CmdResolveImage {
  BeforeOf<PFN_vkCmdResolveImage> Before;
};
struct CmdResolveImage2 {
  BeforeOf<PFN_vkCmdResolveImage2> Before;
};
// A word that the command writes when the commands before it reached a stage. Markers execute in
// order with each other.
struct CmdWriteBufferMarker {
  BeforeOf<PFN_vkCmdWriteBufferMarkerAMD> Before;
};
struct CmdWriteBufferMarker2 {
  BeforeOf<PFN_vkCmdWriteBufferMarker2AMD> Before;
};
struct CmdFillBuffer {
  BeforeOf<PFN_vkCmdFillBuffer> Before;
};
struct CmdUpdateBuffer {
  BeforeOf<PFN_vkCmdUpdateBuffer> Before;
};
struct CmdCopyQueryPoolResults {
  BeforeOf<PFN_vkCmdCopyQueryPoolResults> Before;
};
// To memory that the command names by its address.
struct CmdCopyQueryPoolResultsToMemory {
  void Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
              uint32_t count, const void* range, uint32_t range_flags, VkQueryResultFlags flags);
};
struct CmdClearColorImage {
  BeforeOf<PFN_vkCmdClearColorImage> Before;
};
struct CmdClearDepthStencilImage {
  BeforeOf<PFN_vkCmdClearDepthStencilImage> Before;
};

}  // namespace gpusan::vulkan
