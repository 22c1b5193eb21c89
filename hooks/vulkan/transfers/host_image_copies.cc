// Host image copies. What the host writes so is not tracked: such images count as written
// (ScopedState::foreign).
#include "hooks/vulkan/transfers/host_image_copies.h"

#include <mutex>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/aspect_layouts.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/transfers/copy_boxes.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

enum class Act : uint8_t { kRead, kWrite, kTransition };

// The image that a host copy names; nullptr if it is unknown. `vuid`: of the missing usage.
Resource* UseOnHost(VkCall& call, VkImage handle, const char* argument, const char* vuid) {
  Resource* image = UseImage(call, handle, argument);
  if (image == nullptr) return nullptr;
  CheckBound(call, *image, argument);
  constexpr uint32_t kHostTransfer = 0x00400000;  // VK_IMAGE_USAGE_HOST_TRANSFER_BIT
  if ((ImageOf(*image).usage & kHostTransfer) == 0)
    ReportSync(call, *image, Fault::kHostTransferUsage, "", vuid);
  return image;
}

// Adds a finding if pending work conflicts with the access of the host to the part. Returns whether
// it did.
bool CheckRace(VkCall& call, Resource& image, const ImagePart& part, Act act) {
  EarlierCall earlier;
  bool writes = false;
  {
    ScopedState& state = ScopedOf(image);
    std::lock_guard lock(state.lock);
    const Extent extent(part);
    const ScopedAccess* pending =
        state.history.FindPending(&extent, act == Act::kRead, call.tracker().ordering().host());
    // A shader need not access all levels that its descriptor shows.
    if (pending == nullptr || (pending->shader && pending->extent.part.mips > 1)) return false;
    earlier = {pending->call, pending->site};
    writes = pending->write;
  }
  ReportSync(call, image, Fault::kHostImageRace,
             act == Act::kRead    ? "reads"
             : act == Act::kWrite ? "writes"
                                  : "changes the layout of",
             act == Act::kRead ? "SYNC-HAZARD-READ-AFTER-WRITE"
             : writes          ? "SYNC-HAZARD-WRITE-AFTER-WRITE"
                               : "SYNC-HAZARD-WRITE-AFTER-READ",
             earlier);
  return true;
}

// Checks one region between host memory and the image. Returns false if no further region is to be
// checked. `Copy`: VkMemoryToImageCopy or VkImageToMemoryCopy.
template <typename Copy>
bool CheckRegion(VkCall& call, Resource& image, const Copy& copy, bool memcpy, Act act) {
  const ImageState& state = ImageOf(image);
  const VkBufferImageCopy plain = {0,
                                   copy.memoryRowLength,
                                   copy.memoryImageHeight,
                                   copy.imageSubresource,
                                   copy.imageOffset,
                                   copy.imageExtent};
  ImageInfo level;
  Transfer transfer;
  transfer.recorded = true;
  transfer.blocking = true;
  Side& device = act == Act::kWrite ? transfer.destination : transfer.source;
  Side& host = act == Act::kWrite ? transfer.source : transfer.destination;
  device = SideOf(image, copy.imageSubresource, copy.imageOffset, copy.imageExtent, &level);
  host.pointer = copy.pHostPointer;
  // VK_HOST_IMAGE_COPY_MEMCPY_BIT: the texels have the layout of the driver in host memory.
  const FormatBlock block = BlockOf(state.format, copy.imageSubresource.aspectMask);
  if (!memcpy && block.bytes != 0) host.region = BufferRegion(plain, block, LayersOf(state, plain));
  const size_t before = call.finding_count();
  call.tracker().accesses().CheckTransfer(call, transfer);
  if (call.finding_count() != before) return false;
  return !CheckRace(call, image,
                    BoxOf(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent), act);
}

// VkHostImageCopyFlagBits
constexpr VkFlags kMemcpy = 1;

template <typename Info>
void CheckRegions(VkCall& call, Resource& image, const Info& info, Act act) {
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i) {
    if (!CheckRegion(call, image, info.pRegions[i], (info.flags & kMemcpy) != 0, act)) return;
  }
}

}  // namespace

void CopyMemoryToImage::Before(VkCall& call, VkDevice, const void* argument) {
  const auto* info =
      later::Read<later::VkCopyMemoryToImageInfo>(call, argument, "pCopyMemoryToImageInfo");
  if (info == nullptr) return;
  Resource* image =
      UseOnHost(call, info->dstImage, "dstImage", "VkCopyMemoryToImageInfo-dstImage-09113");
  if (image != nullptr) CheckRegions(call, *image, *info, Act::kWrite);
}

void CopyImageToMemory::Before(VkCall& call, VkDevice, const void* argument) {
  const auto* info =
      later::Read<later::VkCopyImageToMemoryInfo>(call, argument, "pCopyImageToMemoryInfo");
  if (info == nullptr) return;
  Resource* image =
      UseOnHost(call, info->srcImage, "srcImage", "VkCopyImageToMemoryInfo-srcImage-09113");
  if (image != nullptr) CheckRegions(call, *image, *info, Act::kRead);
}

void CopyImageToImage::Before(VkCall& call, VkDevice, const void* argument) {
  const auto* info =
      later::Read<later::VkCopyImageToImageInfo>(call, argument, "pCopyImageToImageInfo");
  if (info == nullptr) return;
  Resource* source =
      UseOnHost(call, info->srcImage, "srcImage", "VkCopyImageToImageInfo-srcImage-09113");
  Resource* destination =
      UseOnHost(call, info->dstImage, "dstImage", "VkCopyImageToImageInfo-dstImage-09113");
  if (source == nullptr || destination == nullptr) return;
  for (uint32_t i = 0; info->pRegions != nullptr && i < info->regionCount; ++i) {
    const VkImageCopy2& copy = info->pRegions[i];
    if (CheckRace(call, *source,
                  BoxOf(ImageOf(*source), copy.srcSubresource, copy.srcOffset, copy.extent),
                  Act::kRead) ||
        CheckRace(call, *destination,
                  BoxOf(ImageOf(*destination), copy.dstSubresource, copy.dstOffset, copy.extent),
                  Act::kWrite))
      return;
  }
}

void TransitionImageLayout::Before(VkCall& call, VkDevice, uint32_t count, const void* argument) {
  const auto* transitions =
      later::Read<later::VkHostImageLayoutTransitionInfo>(call, argument, "pTransitions");
  for (uint32_t i = 0; transitions != nullptr && i < count; ++i) {
    Resource* image = UseOnHost(call, transitions[i].image, "pTransitions[].image",
                                "VkHostImageLayoutTransitionInfo-image-09055");
    if (image == nullptr) continue;
    const ImagePart part = PartOf(ImageOf(*image), transitions[i].subresourceRange);
    if (CheckRace(call, *image, part, Act::kTransition)) return;
  }
}

void TransitionImageLayout::After(VkCall& call, VkResult code, VkDevice, uint32_t count,
                                  const void* argument) {
  if (code != VK_SUCCESS || argument == nullptr) return;
  const auto* transitions = static_cast<const later::VkHostImageLayoutTransitionInfo*>(argument);
  for (uint32_t i = 0; i < count; ++i) {
    auto* image = static_cast<Resource*>(call.tracker().objects().Find(
        Api::kVulkan, ObjectKind::kImage, HandleOf(transitions[i].image)));
    if (image == nullptr || !image->live()) continue;
    ImageState& state = ImageOf(*image);
    const ImagePart part = PartOf(state, transitions[i].subresourceRange);
    const Device& device = call.device();
    const bool apart = device.separate_depth_stencil &&
                       !device.stencil_layouts_in_passes.load(std::memory_order_relaxed);
    std::lock_guard lock(state.lock);
    SetImageLayout(state, part, static_cast<Layout>(transitions[i].newLayout), apart, &call.info(),
                   call.site());
  }
}

}  // namespace gpusan::vulkan
