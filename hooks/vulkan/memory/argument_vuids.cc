// The table of valid usages, without "VUID-". A promoted function has those of the core function.
#include "hooks/vulkan/memory/argument_vuids.h"

#include "absl/strings/str_cat.h"

namespace gpusan::vulkan {
namespace {

struct Row {
  std::string_view call, argument;
  const char* unbound;  // the resource has no memory
  const char* usage;    // the resource lacks the usage flag that the call needs
};
constexpr Row kRows[] = {
    {"vkUpdateDescriptorSets", "pBufferInfo[].buffer", "VkWriteDescriptorSet-descriptorType-00329",
     ""},
    {"vkUpdateDescriptorSetWithTemplate", "pBufferInfo[].buffer",
     "VkWriteDescriptorSet-descriptorType-00329", ""},
    {"vkCmdPushDescriptorSet", "pBufferInfo[].buffer", "VkWriteDescriptorSet-descriptorType-00329",
     ""},
    {"vkCmdPushDescriptorSet2", "pBufferInfo[].buffer", "VkWriteDescriptorSet-descriptorType-00329",
     ""},
    {"vkCmdCopyBuffer", "srcBuffer", "vkCmdCopyBuffer-srcBuffer-00119",
     "vkCmdCopyBuffer-srcBuffer-00118"},
    {"vkCmdCopyBuffer2", "srcBuffer", "VkCopyBufferInfo2-srcBuffer-00119",
     "VkCopyBufferInfo2-srcBuffer-00118"},
    {"vkCmdCopyBuffer", "dstBuffer", "vkCmdCopyBuffer-dstBuffer-00121",
     "vkCmdCopyBuffer-dstBuffer-00120"},
    {"vkCmdCopyBuffer2", "dstBuffer", "VkCopyBufferInfo2-dstBuffer-00121",
     "VkCopyBufferInfo2-dstBuffer-00120"},
    {"vkCmdCopyBufferToImage", "srcBuffer", "vkCmdCopyBufferToImage-srcBuffer-00176",
     "vkCmdCopyBufferToImage-srcBuffer-00174"},
    {"vkCmdCopyBufferToImage2", "srcBuffer", "VkCopyBufferToImageInfo2-srcBuffer-00176",
     "VkCopyBufferToImageInfo2-srcBuffer-00174"},
    {"vkCmdCopyBufferToImage", "dstImage", "vkCmdCopyBufferToImage-dstImage-07966",
     "vkCmdCopyBufferToImage-dstImage-00177"},
    {"vkCmdCopyBufferToImage2", "dstImage", "VkCopyBufferToImageInfo2-dstImage-07966",
     "VkCopyBufferToImageInfo2-dstImage-00177"},
    {"vkCmdCopyImageToBuffer", "srcImage", "vkCmdCopyImageToBuffer-srcImage-07966",
     "vkCmdCopyImageToBuffer-srcImage-00186"},
    {"vkCmdCopyImageToBuffer2", "srcImage", "VkCopyImageToBufferInfo2-srcImage-07966",
     "VkCopyImageToBufferInfo2-srcImage-00186"},
    {"vkCmdCopyImageToBuffer", "dstBuffer", "vkCmdCopyImageToBuffer-dstBuffer-00192",
     "vkCmdCopyImageToBuffer-dstBuffer-00191"},
    {"vkCmdCopyImageToBuffer2", "dstBuffer", "VkCopyImageToBufferInfo2-dstBuffer-00192",
     "VkCopyImageToBufferInfo2-dstBuffer-00191"},
    {"vkCmdCopyImage", "srcImage", "vkCmdCopyImage-srcImage-07966", "vkCmdCopyImage-aspect-06662"},
    {"vkCmdCopyImage2", "srcImage", "VkCopyImageInfo2-srcImage-07966",
     "VkCopyImageInfo2-aspect-06662"},
    {"vkCmdCopyImage", "dstImage", "vkCmdCopyImage-dstImage-07966", "vkCmdCopyImage-aspect-06663"},
    {"vkCmdCopyImage2", "dstImage", "VkCopyImageInfo2-dstImage-07966",
     "VkCopyImageInfo2-aspect-06663"},
    {"vkCmdBlitImage", "srcImage", "vkCmdBlitImage-srcImage-00220",
     "vkCmdBlitImage-srcImage-00219"},
    {"vkCmdBlitImage2", "srcImage", "VkBlitImageInfo2-srcImage-00220",
     "VkBlitImageInfo2-srcImage-00219"},
    {"vkCmdBlitImage", "dstImage", "vkCmdBlitImage-dstImage-00225",
     "vkCmdBlitImage-dstImage-00224"},
    {"vkCmdBlitImage2", "dstImage", "VkBlitImageInfo2-dstImage-00225",
     "VkBlitImageInfo2-dstImage-00224"},
    {"vkCmdBindTransformFeedbackBuffersEXT", "pBuffers[]",
     "vkCmdBindTransformFeedbackBuffersEXT-pBuffers-02364",
     "vkCmdBindTransformFeedbackBuffersEXT-pBuffers-02360"},
    {"vkCmdBeginTransformFeedbackEXT", "pCounterBuffers[]", "",
     "vkCmdBeginTransformFeedbackEXT-pCounterBuffers-02372"},
    {"vkCmdEndTransformFeedbackEXT", "pCounterBuffers[]", "",
     "vkCmdEndTransformFeedbackEXT-pCounterBuffers-02380"},
    {"vkCmdResolveImage", "srcImage", "vkCmdResolveImage-srcImage-00256",
     "vkCmdResolveImage-srcImage-06762"},
    {"vkCmdResolveImage2", "srcImage", "VkResolveImageInfo2-srcImage-00256",
     "VkResolveImageInfo2-srcImage-06762"},
    {"vkCmdResolveImage", "dstImage", "vkCmdResolveImage-dstImage-00258",
     "vkCmdResolveImage-dstImage-06764"},
    {"vkCmdResolveImage2", "dstImage", "VkResolveImageInfo2-dstImage-00258",
     "VkResolveImageInfo2-dstImage-06764"},
    {"vkCmdFillBuffer", "dstBuffer", "vkCmdFillBuffer-dstBuffer-00031",
     "vkCmdFillBuffer-dstBuffer-00029"},
    {"vkCmdUpdateBuffer", "dstBuffer", "vkCmdUpdateBuffer-dstBuffer-00035",
     "vkCmdUpdateBuffer-dstBuffer-00034"},
    {"vkCmdCopyQueryPoolResults", "dstBuffer", "vkCmdCopyQueryPoolResults-dstBuffer-00826",
     "vkCmdCopyQueryPoolResults-dstBuffer-00825"},
    {"vkCmdClearColorImage", "image", "vkCmdClearColorImage-image-00003",
     "vkCmdClearColorImage-image-00002"},
    {"vkCmdClearDepthStencilImage", "image", "vkCmdClearDepthStencilImage-image-00010", ""},
    {"vkCmdBindIndexBuffer", "buffer", "vkCmdBindIndexBuffer-buffer-08785",
     "vkCmdBindIndexBuffer-buffer-08784"},
    {"vkCmdDispatchIndirect", "buffer", "vkCmdDispatchIndirect-buffer-02708",
     "vkCmdDispatchIndirect-buffer-02709"},
    {"vkCmdDrawIndirect", "buffer", "vkCmdDrawIndirect-buffer-02708",
     "vkCmdDrawIndirect-buffer-02709"},
    {"vkCmdDrawIndexedIndirect", "buffer", "vkCmdDrawIndexedIndirect-buffer-02708",
     "vkCmdDrawIndexedIndirect-buffer-02709"},
    {"vkCmdDrawIndirectCount", "buffer", "vkCmdDrawIndirectCount-buffer-02708",
     "vkCmdDrawIndirectCount-buffer-02709"},
    {"vkCmdDrawIndirectCount", "countBuffer", "vkCmdDrawIndirectCount-countBuffer-02714",
     "vkCmdDrawIndirectCount-countBuffer-02715"},
    {"vkCmdDrawIndexedIndirectCount", "buffer", "vkCmdDrawIndexedIndirectCount-buffer-02708",
     "vkCmdDrawIndexedIndirectCount-buffer-02709"},
    {"vkCmdDrawIndexedIndirectCount", "countBuffer",
     "vkCmdDrawIndexedIndirectCount-countBuffer-02714",
     "vkCmdDrawIndexedIndirectCount-countBuffer-02715"},
    {"vkCmdDrawMeshTasksIndirectEXT", "buffer", "vkCmdDrawMeshTasksIndirectEXT-buffer-02708",
     "vkCmdDrawMeshTasksIndirectEXT-buffer-02709"},
    {"vkCmdDrawMeshTasksIndirectCountEXT", "buffer",
     "vkCmdDrawMeshTasksIndirectCountEXT-buffer-02708",
     "vkCmdDrawMeshTasksIndirectCountEXT-buffer-02709"},
    {"vkCmdDrawMeshTasksIndirectCountEXT", "countBuffer",
     "vkCmdDrawMeshTasksIndirectCountEXT-countBuffer-02714",
     "vkCmdDrawMeshTasksIndirectCountEXT-countBuffer-02715"},
    {"vkCmdBindVertexBuffers", "pBuffers[]", "vkCmdBindVertexBuffers-pBuffers-00628",
     "vkCmdBindVertexBuffers-pBuffers-00627"},
    {"vkCmdBindVertexBuffers2", "pBuffers[]", "vkCmdBindVertexBuffers2-pBuffers-03360",
     "vkCmdBindVertexBuffers2-pBuffers-03359"},
    {"vkCreateBufferView", "pCreateInfo->buffer", "VkBufferViewCreateInfo-buffer-00935", ""},
    {"vkCreateImageView", "pCreateInfo->image", "VkImageViewCreateInfo-image-01020", ""},
    {"vkCmdPipelineBarrier", "pBufferMemoryBarriers[].buffer", "VkBufferMemoryBarrier-buffer-01931",
     ""},
    {"vkCmdPipelineBarrier", "pImageMemoryBarriers[].image", "VkImageMemoryBarrier-image-01932",
     ""},
    {"vkCmdWaitEvents", "pBufferMemoryBarriers[].buffer", "VkBufferMemoryBarrier-buffer-01931", ""},
    {"vkCmdWaitEvents", "pImageMemoryBarriers[].image", "VkImageMemoryBarrier-image-01932", ""},
    {"vkCmdPipelineBarrier2", "pBufferMemoryBarriers[].buffer",
     "VkBufferMemoryBarrier2-buffer-01931", ""},
    {"vkCmdPipelineBarrier2", "pImageMemoryBarriers[].image", "VkImageMemoryBarrier2-image-01932",
     ""},
    {"vkCmdSetEvent2", "pBufferMemoryBarriers[].buffer", "VkBufferMemoryBarrier2-buffer-01931", ""},
    {"vkCmdSetEvent2", "pImageMemoryBarriers[].image", "VkImageMemoryBarrier2-image-01932", ""},
    {"vkCmdWaitEvents2", "pBufferMemoryBarriers[].buffer", "VkBufferMemoryBarrier2-buffer-01931",
     ""},
    {"vkCmdWaitEvents2", "pImageMemoryBarriers[].image", "VkImageMemoryBarrier2-image-01932", ""},
    {"vkCmdBindIndexBuffer2", "buffer", "vkCmdBindIndexBuffer2-buffer-08785",
     "vkCmdBindIndexBuffer2-buffer-08784"},
    {"vkCmdBeginConditionalRenderingEXT", "buffer",
     "VkConditionalRenderingBeginInfoEXT-buffer-01981",
     "VkConditionalRenderingBeginInfoEXT-buffer-01982"},
    {"vkGetBufferDeviceAddress", "pInfo->buffer", "VkBufferDeviceAddressInfo-buffer-02600",
     "VkBufferDeviceAddressInfo-buffer-02601"}};

// nullptr: the table lacks the argument.
const Row* FindRow(std::string_view call, std::string_view argument) {
  if (call.ends_with("KHR")) call.remove_suffix(3);
  if (call == "vkCmdBindVertexBuffers2EXT") call.remove_suffix(3);
  for (const Row& row : kRows) {
    if (row.call == call && row.argument == argument) return &row;
  }
  return nullptr;
}

std::string NameOf(const char* vuid) { return *vuid != '\0' ? absl::StrCat("VUID-", vuid) : ""; }

}  // namespace

std::string UnboundVuid(std::string_view call, std::string_view argument) {
  const Row* row = FindRow(call, argument);
  return row != nullptr ? NameOf(row->unbound) : "";
}

std::string UsageVuid(std::string_view call, std::string_view argument) {
  const Row* row = FindRow(call, argument);
  return row != nullptr ? NameOf(row->usage) : "";
}

}  // namespace gpusan::vulkan
