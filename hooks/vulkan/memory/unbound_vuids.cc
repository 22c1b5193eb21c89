// The table of valid usages. A promoted function has those of the core function.
#include "hooks/vulkan/memory/unbound_vuids.h"

namespace gpusan::vulkan {
namespace {

struct Row {
  std::string_view call, argument;
  const char* vuid;
};
constexpr Row kRows[] = {
    {"vkCmdCopyBuffer", "srcBuffer", "VUID-vkCmdCopyBuffer-srcBuffer-00119"},
    {"vkCmdCopyBuffer2", "srcBuffer", "VUID-VkCopyBufferInfo2-srcBuffer-00119"},
    {"vkCmdCopyBuffer", "dstBuffer", "VUID-vkCmdCopyBuffer-dstBuffer-00121"},
    {"vkCmdCopyBuffer2", "dstBuffer", "VUID-VkCopyBufferInfo2-dstBuffer-00121"},
    {"vkCmdCopyBufferToImage", "srcBuffer", "VUID-vkCmdCopyBufferToImage-srcBuffer-00176"},
    {"vkCmdCopyBufferToImage2", "srcBuffer", "VUID-VkCopyBufferToImageInfo2-srcBuffer-00176"},
    {"vkCmdCopyBufferToImage", "dstImage", "VUID-vkCmdCopyBufferToImage-dstImage-07966"},
    {"vkCmdCopyBufferToImage2", "dstImage", "VUID-VkCopyBufferToImageInfo2-dstImage-07966"},
    {"vkCmdCopyImageToBuffer", "srcImage", "VUID-vkCmdCopyImageToBuffer-srcImage-07966"},
    {"vkCmdCopyImageToBuffer2", "srcImage", "VUID-VkCopyImageToBufferInfo2-srcImage-07966"},
    {"vkCmdCopyImageToBuffer", "dstBuffer", "VUID-vkCmdCopyImageToBuffer-dstBuffer-00192"},
    {"vkCmdCopyImageToBuffer2", "dstBuffer", "VUID-VkCopyImageToBufferInfo2-dstBuffer-00192"},
    {"vkCmdCopyImage", "srcImage", "VUID-vkCmdCopyImage-srcImage-07966"},
    {"vkCmdCopyImage2", "srcImage", "VUID-VkCopyImageInfo2-srcImage-07966"},
    {"vkCmdCopyImage", "dstImage", "VUID-vkCmdCopyImage-dstImage-07966"},
    {"vkCmdCopyImage2", "dstImage", "VUID-VkCopyImageInfo2-dstImage-07966"},
    {"vkCmdBlitImage", "srcImage", "VUID-vkCmdBlitImage-srcImage-00220"},
    {"vkCmdBlitImage2", "srcImage", "VUID-VkBlitImageInfo2-srcImage-00220"},
    {"vkCmdBlitImage", "dstImage", "VUID-vkCmdBlitImage-dstImage-00225"},
    {"vkCmdBlitImage2", "dstImage", "VUID-VkBlitImageInfo2-dstImage-00225"},
    {"vkCmdResolveImage", "srcImage", "VUID-vkCmdResolveImage-srcImage-00256"},
    {"vkCmdResolveImage2", "srcImage", "VUID-VkResolveImageInfo2-srcImage-00256"},
    {"vkCmdResolveImage", "dstImage", "VUID-vkCmdResolveImage-dstImage-00258"},
    {"vkCmdResolveImage2", "dstImage", "VUID-VkResolveImageInfo2-dstImage-00258"},
    {"vkCmdFillBuffer", "dstBuffer", "VUID-vkCmdFillBuffer-dstBuffer-00031"},
    {"vkCmdUpdateBuffer", "dstBuffer", "VUID-vkCmdUpdateBuffer-dstBuffer-00035"},
    {"vkCmdCopyQueryPoolResults", "dstBuffer", "VUID-vkCmdCopyQueryPoolResults-dstBuffer-00826"},
    {"vkCmdClearColorImage", "image", "VUID-vkCmdClearColorImage-image-00003"},
    {"vkCmdClearDepthStencilImage", "image", "VUID-vkCmdClearDepthStencilImage-image-00010"},
    {"vkCmdBindIndexBuffer", "buffer", "VUID-vkCmdBindIndexBuffer-buffer-08785"},
    {"vkCmdDispatchIndirect", "buffer", "VUID-vkCmdDispatchIndirect-buffer-02708"},
    {"vkCmdDrawIndirect", "buffer", "VUID-vkCmdDrawIndirect-buffer-02708"},
    {"vkCmdDrawIndexedIndirect", "buffer", "VUID-vkCmdDrawIndexedIndirect-buffer-02708"},
    {"vkCmdDrawIndirectCount", "buffer", "VUID-vkCmdDrawIndirectCount-buffer-02708"},
    {"vkCmdDrawIndirectCount", "countBuffer", "VUID-vkCmdDrawIndirectCount-countBuffer-02714"},
    {"vkCmdDrawIndexedIndirectCount", "buffer", "VUID-vkCmdDrawIndexedIndirectCount-buffer-02708"},
    {"vkCmdDrawIndexedIndirectCount", "countBuffer",
     "VUID-vkCmdDrawIndexedIndirectCount-countBuffer-02714"},
    {"vkCmdDrawMeshTasksIndirectEXT", "buffer", "VUID-vkCmdDrawMeshTasksIndirectEXT-buffer-02708"},
    {"vkCmdDrawMeshTasksIndirectCountEXT", "buffer",
     "VUID-vkCmdDrawMeshTasksIndirectCountEXT-buffer-02708"},
    {"vkCmdDrawMeshTasksIndirectCountEXT", "countBuffer",
     "VUID-vkCmdDrawMeshTasksIndirectCountEXT-countBuffer-02714"},
    {"vkCmdBindVertexBuffers", "pBuffers[]", "VUID-vkCmdBindVertexBuffers-pBuffers-00628"},
    {"vkCmdBindVertexBuffers2", "pBuffers[]", "VUID-vkCmdBindVertexBuffers2-pBuffers-03360"},
    {"vkCreateBufferView", "pCreateInfo->buffer", "VUID-VkBufferViewCreateInfo-buffer-00935"},
    {"vkCreateImageView", "pCreateInfo->image", "VUID-VkImageViewCreateInfo-image-01020"},
    {"vkCmdPipelineBarrier", "pBufferMemoryBarriers[].buffer",
     "VUID-VkBufferMemoryBarrier-buffer-01931"},
    {"vkCmdPipelineBarrier", "pImageMemoryBarriers[].image",
     "VUID-VkImageMemoryBarrier-image-01932"},
    {"vkCmdWaitEvents", "pBufferMemoryBarriers[].buffer",
     "VUID-VkBufferMemoryBarrier-buffer-01931"},
    {"vkCmdWaitEvents", "pImageMemoryBarriers[].image", "VUID-VkImageMemoryBarrier-image-01932"},
    {"vkCmdPipelineBarrier2", "pBufferMemoryBarriers[].buffer",
     "VUID-VkBufferMemoryBarrier2-buffer-01931"},
    {"vkCmdPipelineBarrier2", "pImageMemoryBarriers[].image",
     "VUID-VkImageMemoryBarrier2-image-01932"},
    {"vkCmdSetEvent2", "pBufferMemoryBarriers[].buffer",
     "VUID-VkBufferMemoryBarrier2-buffer-01931"},
    {"vkCmdSetEvent2", "pImageMemoryBarriers[].image", "VUID-VkImageMemoryBarrier2-image-01932"},
    {"vkCmdWaitEvents2", "pBufferMemoryBarriers[].buffer",
     "VUID-VkBufferMemoryBarrier2-buffer-01931"},
    {"vkCmdWaitEvents2", "pImageMemoryBarriers[].image", "VUID-VkImageMemoryBarrier2-image-01932"}};

}  // namespace

const char* UnboundVuid(std::string_view call, std::string_view argument) {
  if (call.ends_with("KHR")) call.remove_suffix(3);
  if (call == "vkCmdBindVertexBuffers2EXT") call.remove_suffix(3);
  for (const Row& row : kRows) {
    if (row.call == call && row.argument == argument) return row.vuid;
  }
  return "";
}

}  // namespace gpusan::vulkan
