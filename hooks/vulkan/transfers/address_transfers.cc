// Transfers to and from memory that commands name by its address.
#include "hooks/vulkan/transfers/address_transfers.h"

#include "hooks/vulkan/transfers/copy_boxes.h"
#include "hooks/vulkan/transfers/transfer_uses.h"

namespace gpusan::vulkan {

RecordedUse* UseAddressed(Recorder& recorder, const later::VkDeviceAddressRangeKHR& range,
                          VkPipelineStageFlags2 stage, VkAccessFlags2 access, bool write) {
  const DeviceAddresses::Found found = recorder.call().device().addresses.FindAny(range.address);
  if (found.buffer == nullptr || range.size > found.buffer->bytes - found.offset) {
    if (write) recorder.state().unseen_writes = true;
    return nullptr;
  }
  RecordedUse& use = recorder.Use(*found.buffer, Region::Linear(found.offset, range.size), stage,
                                  access, kNoLayout, write);
  use.by_address = true;
  use.needs_buffer = true;
  return &use;
}

namespace {

void Record(Recorder& recorder, const later::VkDeviceAddressRangeKHR& range,
            VkPipelineStageFlags2 stage, bool write) {
  UseAddressed(recorder, range, stage, write ? kTransferWrite : kTransferRead, write);
}

void Write(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* range = static_cast<const later::VkDeviceAddressRangeKHR*>(argument);
  Recorder recorder(call, commands);
  if (!recorder || range == nullptr) return;
  recorder.NeedOutside();
  Record(recorder, *range, VK_PIPELINE_STAGE_2_CLEAR_BIT, true);
}

template <bool upload>
void CopyMemoryAndImage(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info =
      later::Read<later::VkCopyDeviceMemoryImageInfoKHR>(call, argument, "pCopyMemoryInfo");
  if (info == nullptr) return;
  Resource* image = UseImage(call, info->image, "image");
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  for (uint32_t i = 0; info->pRegions != nullptr && i < info->regionCount; ++i) {
    const later::VkDeviceMemoryImageCopyKHR& copy = info->pRegions[i];
    if (image != nullptr) {
      const ImageState& state = ImageOf(*image);
      const auto layout = static_cast<Layout>(copy.imageLayout);
      CheckImageUse(call, *image, upload, layout, "image");
      if (IsInside(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent)) {
        recorder.Use(
            *image, BoxOf(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent),
            VK_PIPELINE_STAGE_2_COPY_BIT, upload ? kTransferWrite : kTransferRead, layout, upload);
      }
    } else if (upload) {
      recorder.state().unseen_writes = true;
    }
    Record(recorder, copy.addressRange, VK_PIPELINE_STAGE_2_COPY_BIT, !upload);
  }
}

}  // namespace

void CmdFillMemory::Before(VkCall& call, VkCommandBuffer commands, const void* range, uint32_t,
                           uint32_t) {
  Write(call, commands, range);
}
void CmdUpdateMemory::Before(VkCall& call, VkCommandBuffer commands, const void* range, uint32_t,
                             VkDeviceSize, const void*) {
  Write(call, commands, range);
}

void CmdCopyMemory::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info =
      later::Read<later::VkCopyDeviceMemoryInfoKHR>(call, argument, "pCopyMemoryInfo");
  Recorder recorder(call, commands);
  if (!recorder || info == nullptr) return;
  recorder.NeedOutside();
  for (uint32_t i = 0; info->pRegions != nullptr && i < info->regionCount; ++i) {
    Record(recorder, info->pRegions[i].srcRange, VK_PIPELINE_STAGE_2_COPY_BIT, false);
    Record(recorder, info->pRegions[i].dstRange, VK_PIPELINE_STAGE_2_COPY_BIT, true);
  }
}
void CmdCopyMemoryToImage::Before(VkCall& call, VkCommandBuffer commands, const void* info) {
  CopyMemoryAndImage<true>(call, commands, info);
}
void CmdCopyImageToMemory::Before(VkCall& call, VkCommandBuffer commands, const void* info) {
  CopyMemoryAndImage<false>(call, commands, info);
}

}  // namespace gpusan::vulkan
