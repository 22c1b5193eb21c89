// Video coding: the pictures and bitstreams that decode and encode commands access.
#include "hooks/vulkan/commands/video_coding.h"

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/memory/memory.h"

namespace gpusan::vulkan {
namespace {

// VkVideoEncodeInfoKHR as in Vulkan 1.3.274 and later. Older headers have a provisional structure
// with other members under the same name.
struct EncodeInfo {
  VkStructureType sType;
  const void* pNext;
  VkFlags flags;
  VkBuffer dstBuffer;
  VkDeviceSize dstBufferOffset;
  VkDeviceSize dstBufferRange;
  VkVideoPictureResourceInfoKHR srcPictureResource;
  const VkVideoReferenceSlotInfoKHR* pSetupReferenceSlot;
  uint32_t referenceSlotCount;
  const VkVideoReferenceSlotInfoKHR* pReferenceSlots;
  uint32_t precedingExternallyEncodedBytes;
};
// VkVideoEncodeQuantizationMapInfoKHR of VK_KHR_video_encode_quantization_map.
constexpr auto kQuantizationMapInfo = static_cast<VkStructureType>(1000553002);
struct QuantizationMapInfo {
  VkStructureType sType;
  const void* pNext;
  VkImageView quantizationMap;
  VkExtent2D quantizationMapExtent;
};

// The stage of a command, and its kinds of access.
struct Coding {
  uint64_t stage, read, write;
};
constexpr Coding kDecode = {VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR,
                            VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR,
                            VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR};
constexpr Coding kEncode = {kVideoEncodeStage, kVideoEncodeRead, kVideoEncodeWrite};

void RecordBits(Recorder& recorder, VkBuffer handle, uint64_t offset, uint64_t bytes,
                const Coding& coding, bool write, const char* argument) {
  if (handle == VK_NULL_HANDLE) return;
  Resource* buffer = UseBuffer(recorder.call(), handle, argument);
  if (buffer == nullptr) return;
  CheckBoundOnce(recorder.call(), *buffer, argument);
  recorder.Use(*buffer, Region::Linear(offset, bytes), coding.stage,
               write ? coding.write : coding.read, kNoLayout, write);
}

// `layer`: counted from the first layer of the view.
void RecordView(Recorder& recorder, VkImageView handle, uint32_t layer, const Coding& coding,
                bool write) {
  if (handle == VK_NULL_HANDLE) return;
  auto* view = static_cast<PlainObject*>(
      UseHandle(recorder.call(), ObjectKind::kImageView, HandleOf(handle), "imageViewBinding"));
  const ImageViewState* state;
  Resource* image = ImageOfView(view, &state);
  if (image == nullptr) return;
  recorder.Hold(*view);
  ImagePart part = state->part;
  part.aspects |= ImageOf(*image).aspects;
  part.first_layer += layer;
  part.layers = 1;
  recorder.Use(*image, part, coding.stage, write ? coding.write : coding.read, kNoLayout, write);
}

void RecordPicture(Recorder& recorder, const VkVideoPictureResourceInfoKHR& picture,
                   const Coding& coding, bool write) {
  RecordView(recorder, picture.imageViewBinding, picture.baseArrayLayer, coding, write);
}

// Records the pictures of reference slots. `Info`: of a decode or encode command.
template <typename Info>
void RecordSlots(Recorder& recorder, const Info& info, const Coding& coding) {
  for (uint32_t i = 0; info.pReferenceSlots != nullptr && i < info.referenceSlotCount; ++i) {
    const VkVideoPictureResourceInfoKHR* picture = info.pReferenceSlots[i].pPictureResource;
    if (picture != nullptr) RecordPicture(recorder, *picture, coding, false);
  }
  if (info.pSetupReferenceSlot == nullptr) return;
  const VkVideoPictureResourceInfoKHR* picture = info.pSetupReferenceSlot->pPictureResource;
  if (picture != nullptr) RecordPicture(recorder, *picture, coding, true);
}

}  // namespace

void CmdDecodeVideo::Before(VkCall& call, VkCommandBuffer commands,
                            const VkVideoDecodeInfoKHR* info) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  RecordBits(recorder, info->srcBuffer, info->srcBufferOffset, info->srcBufferRange, kDecode, false,
             "srcBuffer");
  RecordPicture(recorder, info->dstPictureResource, kDecode, true);
  RecordSlots(recorder, *info, kDecode);
}

void CmdEncodeVideo::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info = later::Read<EncodeInfo>(call, argument, "pEncodeInfo");
  Recorder recorder(call, commands);
  if (!recorder || info == nullptr) return;
  RecordBits(recorder, info->dstBuffer, info->dstBufferOffset, info->dstBufferRange, kEncode, true,
             "dstBuffer");
  RecordPicture(recorder, info->srcPictureResource, kEncode, false);
  RecordSlots(recorder, *info, kEncode);
  const auto* map = FindInChain<QuantizationMapInfo>(info->pNext, kQuantizationMapInfo);
  if (map != nullptr) RecordView(recorder, map->quantizationMap, 0, kEncode, false);
}

}  // namespace gpusan::vulkan
