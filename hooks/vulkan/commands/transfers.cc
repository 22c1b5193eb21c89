// Copies, fills, clears, blits and resolves: checked and recorded when the program records them.
#include "hooks/vulkan/commands/transfers.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "hooks/vulkan/call/layout_vuids.h"
#include "hooks/vulkan/commands/clear_ranges.h"
#include "hooks/vulkan/commands/copy_boxes.h"
#include "hooks/vulkan/commands/copy_overlaps.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/formats.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/recording/query_checks.h"
#include "tracker/rules/copy_limit.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

constexpr uint64_t kRead = VK_ACCESS_2_TRANSFER_READ_BIT;
constexpr uint64_t kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;

// The names of a transfer command's arguments in findings.
struct Names {
  const char* source;
  const char* destination;
};
constexpr Names kBuffers = {"srcBuffer", "dstBuffer"};
constexpr Names kImages = {"srcImage", "dstImage"};

[[gnu::always_inline]] inline void CheckBufferUse(VkCall& call, Resource& buffer, bool write,
                                                  const char* argument) {
  CheckBoundOnce(call, buffer, argument);
  CheckBufferUsage(
      call, buffer, write ? VK_BUFFER_USAGE_TRANSFER_DST_BIT : VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
      write ? "VK_BUFFER_USAGE_TRANSFER_DST_BIT" : "VK_BUFFER_USAGE_TRANSFER_SRC_BIT", argument);
}

// Layouts in which a command may read or write an image as a whole (Vulkan 1.3 §12.4).
[[gnu::always_inline]] inline bool FitsTransfer(Layout layout, bool write) {
  return layout == (write ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                          : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL) ||
         layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR;
}

[[gnu::noinline, gnu::cold]] void ReportLayout(VkCall& call, Resource& image, Layout layout,
                                               bool write) {
  rules::LayoutUse use;
  use.resource = &image;
  use.mismatch.expected = layout;
  use.wrong_kind = true;
  // The layout that fits.
  use.mismatch.actual.layout =
      write ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const std::string vuid =
      LayoutKindVuid(call.info().name, write ? LayoutRole::kWritten : LayoutRole::kRead);
  use.vuid = vuid.c_str();
  rules::OnLayoutUse(use, call);
}

[[gnu::always_inline]] inline void CheckImageUse(VkCall& call, Resource& image, bool write,
                                                 Layout layout, const char* argument) {
  CheckBoundOnce(call, image, argument);
  CheckImageUsage(
      call, image, write ? VK_IMAGE_USAGE_TRANSFER_DST_BIT : VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
      write ? "VK_IMAGE_USAGE_TRANSFER_DST_BIT" : "VK_IMAGE_USAGE_TRANSFER_SRC_BIT", argument);
  if (!FitsTransfer(layout, write)) [[unlikely]]
    ReportLayout(call, image, layout, write);
}

uint64_t Magnitude(int32_t a, int32_t b) {
  return static_cast<uint64_t>(std::abs(static_cast<int64_t>(a) - b));
}

template <typename Copy>
[[gnu::noinline, gnu::cold]] void CheckCopyWithin(VkCall& call, const Resource& buffer,
                                                  uint32_t count, const Copy* regions) {
  std::vector<CopiedPart> parts;
  for (uint32_t i = 0; i < count; ++i) {
    parts.push_back({Region::Linear(regions[i].srcOffset, regions[i].size),
                     Region::Linear(regions[i].dstOffset, regions[i].size)});
  }
  CheckOverlaps(call, buffer, parts, "00117");
}

template <typename Copy>
void CopyBuffer(VkCall& call, VkCommandBuffer commands, VkBuffer source_handle,
                VkBuffer destination_handle, uint32_t count, const Copy* regions) {
  Resource* source = UseBuffer(call, source_handle, kBuffers.source);
  Resource* destination = UseBuffer(call, destination_handle, kBuffers.destination);
  if (source == nullptr || destination == nullptr) return;
  CheckBufferUse(call, *source, false, kBuffers.source);
  CheckBufferUse(call, *destination, true, kBuffers.destination);
  if (source == destination) [[unlikely]]
    CheckCopyWithin(call, *source, count, regions);
  Recorder recorder(call, commands);
  recorder.NeedOutside();
  for (uint32_t i = 0; i < count; ++i) {
    const Region from = Region::Linear(regions[i].srcOffset, regions[i].size);
    const Region to = Region::Linear(regions[i].dstOffset, regions[i].size);
    if (from.end() > source->bytes || to.end() > destination->bytes) [[unlikely]] {
      Transfer transfer;
      transfer.recorded = true;
      transfer.source.resource = source;
      transfer.source.region = from;
      transfer.destination.resource = destination;
      transfer.destination.region = to;
      call.tracker().accesses().CheckTransfer(call, transfer);
      continue;
    }
    if (!recorder) continue;
    recorder.Use(*source, from, VK_PIPELINE_STAGE_2_COPY_BIT, kRead);
    recorder.Write(*destination, to, VK_PIPELINE_STAGE_2_COPY_BIT, kWrite);
  }
}

const VkBufferImageCopy& Plain(const VkBufferImageCopy& copy) { return copy; }
VkBufferImageCopy Plain(const VkBufferImageCopy2& copy) {
  return {copy.bufferOffset,     copy.bufferRowLength, copy.bufferImageHeight,
          copy.imageSubresource, copy.imageOffset,     copy.imageExtent};
}

// One region: bytes of the buffer and a part of the image.
template <bool upload, typename B>
[[gnu::always_inline]] inline void RecordCopy(Recorder& recorder, Resource& buffer, const B& bytes,
                                              Resource& image, const ImagePart& part,
                                              Layout layout) {
  recorder.Use(image, part, VK_PIPELINE_STAGE_2_COPY_BIT, upload ? kWrite : kRead, layout, upload);
  recorder.Use(buffer, bytes, VK_PIPELINE_STAGE_2_COPY_BIT, upload ? kRead : kWrite, kNoLayout,
               !upload);
}

// Reports one region of a copy between a buffer and an image that exceeds one of them, or has
// invalid pitches. Arguments are passed by value: an argument whose address is passed would stay in
// memory also for valid copies.
[[gnu::noinline, gnu::cold]] void CheckBufferCopy(VkCall& call, Resource& buffer, Resource& image,
                                                  const VkBufferImageCopy& copy, Region bytes,
                                                  uint64_t block_bytes, bool upload) {
  ImageInfo level;
  Transfer transfer;
  transfer.recorded = true;
  Side& device = upload ? transfer.destination : transfer.source;
  Side& staged = upload ? transfer.source : transfer.destination;
  device = SideOf(image, copy.imageSubresource, copy.imageOffset, copy.imageExtent, &level);
  staged.resource = &buffer;
  staged.region = bytes;
  staged.pitches_given = copy.bufferRowLength != 0 || copy.bufferImageHeight != 0;
  staged.row_bytes = uint64_t{copy.imageExtent.width} * block_bytes;
  staged.rows = copy.imageExtent.height;
  staged.row_pitch = uint64_t{copy.bufferRowLength} * block_bytes;
  staged.slice_pitch = uint64_t{copy.bufferImageHeight} *
                       (copy.bufferRowLength != 0 ? staged.row_pitch : staged.row_bytes);
  call.tracker().accesses().CheckTransfer(call, transfer);
}

// Adds a finding, and returns true, if the format of the image lacks an aspect of the region.
// Multi-planar images are not checked.
[[gnu::noinline, gnu::cold]] bool LacksAspect(VkCall& call, const Resource& image,
                                              VkImageAspectFlags aspects, bool upload) {
  constexpr VkImageAspectFlags kNamed =
      VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const VkImageAspectFlags has = ImageOf(image).aspects;
  const VkImageAspectFlags lacking = aspects & kNamed & ~has;
  if (has == 0 || (has & ~kNamed) != 0 || lacking == 0) return false;
  const bool second = std::string_view(call.info().name).find('2') != std::string_view::npos;
  rules::CopyLimit limit;
  limit.fault = rules::CopyLimit::Fault::kAspect;
  limit.resource = &image;
  limit.aspect = (lacking & VK_IMAGE_ASPECT_COLOR_BIT) != 0   ? "VK_IMAGE_ASPECT_COLOR_BIT"
                 : (lacking & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "VK_IMAGE_ASPECT_DEPTH_BIT"
                                                              : "VK_IMAGE_ASPECT_STENCIL_BIT";
  if (upload) {
    limit.vuid = second ? "VUID-VkCopyBufferToImageInfo2-imageSubresource-09105"
                        : "VUID-vkCmdCopyBufferToImage-imageSubresource-09105";
  } else {
    limit.vuid = second ? "VUID-VkCopyImageToBufferInfo2-imageSubresource-09105"
                        : "VUID-vkCmdCopyImageToBuffer-imageSubresource-09105";
  }
  rules::OnCopyLimit(limit, call);
  return true;
}

// Checks one region that may exceed its buffer or image, or has pitches.
template <bool upload>
[[gnu::noinline]] void CopyRegion(Recorder& recorder, Resource& buffer, Resource& image,
                                  Layout layout, const VkBufferImageCopy& copy) {
  const ImageState& state = ImageOf(image);
  const FormatBlock block = BlockOf(state.format, copy.imageSubresource.aspectMask);
  const Region bytes =
      block.bytes == 0 ? Region::Linear(copy.bufferOffset,
                                        buffer.bytes - std::min(buffer.bytes, copy.bufferOffset))
                       : BufferRegion(copy, block, LayersOf(state, copy));
  const bool pitches_fit =
      (copy.bufferRowLength == 0 || copy.bufferRowLength >= copy.imageExtent.width) &&
      (copy.bufferImageHeight == 0 || copy.bufferImageHeight >= copy.imageExtent.height);
  if (!pitches_fit || bytes.end() > buffer.bytes ||
      !IsInside(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent)) [[unlikely]]
    return CheckBufferCopy(recorder.call(), buffer, image, copy, bytes, block.bytes, upload);
  if (!recorder) return;
  RecordCopy<upload>(recorder, buffer, bytes, image,
                     BoxOf(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent),
                     layout);
}

template <bool upload, typename Copy>
[[gnu::noinline]] void CopyBufferAndImage(VkCall& call, VkCommandBuffer commands,
                                          VkBuffer buffer_handle, VkImage image_handle,
                                          VkImageLayout layout, uint32_t count,
                                          const Copy* regions) {
  constexpr const char* kBuffer = upload ? kBuffers.source : kBuffers.destination;
  constexpr const char* kImage = upload ? kImages.destination : kImages.source;
  Resource* buffer = UseBuffer(call, buffer_handle, kBuffer);
  Resource* image = UseImage(call, image_handle, kImage);
  if (buffer == nullptr || image == nullptr) return;
  CheckBufferUse(call, *buffer, !upload, kBuffer);
  CheckImageUse(call, *image, upload, layout, kImage);
  const ImageState& state = ImageOf(*image);
  Recorder recorder(call, commands);
  recorder.NeedOutside();
  for (uint32_t i = 0; i < count; ++i) {
    const VkBufferImageCopy& copy = Plain(regions[i]);
    if ((copy.imageSubresource.aspectMask & ~state.aspects) != 0 &&
        LacksAspect(call, *image, copy.imageSubresource.aspectMask, upload)) [[unlikely]]
      continue;
    // The common case keeps its bytes in registers: color, tightly packed, inside of both.
    const FormatBlock block = state.block;
    if (copy.imageSubresource.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT && IsTight(copy, block) &&
        block.bytes != 0 && recorder &&
        IsInside(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent)) [[likely]] {
      const Bytes bytes = {copy.bufferOffset, TightBytes(copy, block, LayersOf(state, copy))};
      if (SaturatingAdd(bytes.offset, bytes.width) <= buffer->bytes) [[likely]] {
        RecordCopy<upload>(recorder, *buffer, bytes, *image,
                           BoxOf(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent),
                           layout);
        continue;
      }
    }
    CopyRegion<upload>(recorder, *buffer, *image, layout, copy);
  }
}

// The two images of a command, checked as a whole.
struct ImagePair {
  Resource* source;
  Resource* destination;
  std::vector<CopiedPart> within;  // if both are the same image
  bool usable() const { return source != nullptr && destination != nullptr; }
};
ImagePair UseImages(VkCall& call, VkImage source, VkImageLayout source_layout, VkImage destination,
                    VkImageLayout destination_layout) {
  ImagePair pair{
      UseImage(call, source, kImages.source), UseImage(call, destination, kImages.destination), {}};
  if (!pair.usable()) return pair;
  CheckImageUse(call, *pair.source, false, source_layout, kImages.source);
  CheckImageUse(call, *pair.destination, true, destination_layout, kImages.destination);
  return pair;
}

// Checks one region between two images. Returns false if it exceeds one of them; the finding is
// added.
bool UseRegion(Recorder& recorder, ImagePair& pair, uint64_t stage, Layout source_layout,
               Layout destination_layout, const VkImageSubresourceLayers& source_layers,
               const VkOffset3D& source_offset, const VkExtent3D& source_extent,
               const VkImageSubresourceLayers& destination_layers,
               const VkOffset3D& destination_offset, const VkExtent3D& destination_extent) {
  const ImageState& source = ImageOf(*pair.source);
  const ImageState& destination = ImageOf(*pair.destination);
  if (!IsInside(source, source_layers, source_offset, source_extent) ||
      !IsInside(destination, destination_layers, destination_offset, destination_extent))
      [[unlikely]] {
    ImageInfo levels[2];
    Transfer transfer;
    transfer.recorded = true;
    transfer.source = SideOf(*pair.source, source_layers, source_offset, source_extent, &levels[0]);
    transfer.destination = SideOf(*pair.destination, destination_layers, destination_offset,
                                  destination_extent, &levels[1]);
    recorder.call().tracker().accesses().CheckTransfer(recorder.call(), transfer);
    return false;
  }
  if (pair.source == pair.destination) [[unlikely]] {
    pair.within.push_back(
        {BoxOf(source, source_layers, source_offset, source_extent),
         BoxOf(destination, destination_layers, destination_offset, destination_extent)});
  }
  if (!recorder) return true;
  recorder.Use(*pair.source, BoxOf(source, source_layers, source_offset, source_extent), stage,
               kRead, source_layout);
  recorder.Write(*pair.destination,
                 BoxOf(destination, destination_layers, destination_offset, destination_extent),
                 stage, kWrite, destination_layout);
  return true;
}

template <typename Copy>
void CopyImage(VkCall& call, VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
               VkImage destination, VkImageLayout destination_layout, uint32_t count,
               const Copy* regions, uint64_t stage) {
  ImagePair pair = UseImages(call, source, source_layout, destination, destination_layout);
  if (!pair.usable()) return;
  const FormatBlock from = ImageOf(*pair.source).block, to = ImageOf(*pair.destination).block;
  Recorder recorder(call, commands);
  recorder.NeedOutside();
  for (uint32_t i = 0; i < count; ++i) {
    // Between a compressed and an uncompressed image a block corresponds to a texel.
    VkExtent3D there = regions[i].extent;
    if (from.bytes != 0 && to.bytes != 0) {
      there.width = (there.width + from.width - 1) / from.width * to.width;
      there.height = (there.height + from.height - 1) / from.height * to.height;
      const VkExtent3D level =
          ImageOf(*pair.destination).ExtentOf(regions[i].dstSubresource.mipLevel);
      // The last block of a row may exceed the edge.
      if (to.width > 1 && regions[i].dstOffset.x >= 0)
        there.width = std::min(
            there.width, level.width - std::min<uint32_t>(level.width, regions[i].dstOffset.x));
      if (to.height > 1 && regions[i].dstOffset.y >= 0)
        there.height = std::min(
            there.height, level.height - std::min<uint32_t>(level.height, regions[i].dstOffset.y));
    }
    // Slices of one image correspond to layers of the other.
    VkExtent3D here = regions[i].extent;
    const bool source_3d = ImageOf(*pair.source).is_3d;
    const bool destination_3d = ImageOf(*pair.destination).is_3d;
    if (source_3d != destination_3d) (source_3d ? there : here).depth = 1;
    UseRegion(recorder, pair, stage, source_layout, destination_layout, regions[i].srcSubresource,
              regions[i].srcOffset, here, regions[i].dstSubresource, regions[i].dstOffset, there);
  }
  if (!pair.within.empty()) [[unlikely]] {
    CheckOverlaps(call, *pair.source, pair.within,
                  stage == VK_PIPELINE_STAGE_2_RESOLVE_BIT ? "00255" : "00124");
  }
}

// The corners of a blit in ascending order, whether or not it flips.
void Corners(const VkOffset3D (&offsets)[2], VkOffset3D* offset, VkExtent3D* extent) {
  *offset = {std::min(offsets[0].x, offsets[1].x), std::min(offsets[0].y, offsets[1].y),
             std::min(offsets[0].z, offsets[1].z)};
  *extent = {static_cast<uint32_t>(Magnitude(offsets[0].x, offsets[1].x)),
             static_cast<uint32_t>(Magnitude(offsets[0].y, offsets[1].y)),
             static_cast<uint32_t>(Magnitude(offsets[0].z, offsets[1].z))};
}

template <typename Blit>
void BlitImage(VkCall& call, VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
               VkImage destination, VkImageLayout destination_layout, uint32_t count,
               const Blit* regions) {
  ImagePair pair = UseImages(call, source, source_layout, destination, destination_layout);
  if (!pair.usable()) return;
  Recorder recorder(call, commands);
  recorder.NeedOutside();
  for (uint32_t i = 0; i < count; ++i) {
    VkOffset3D source_offset, destination_offset;
    VkExtent3D source_extent, destination_extent;
    Corners(regions[i].srcOffsets, &source_offset, &source_extent);
    Corners(regions[i].dstOffsets, &destination_offset, &destination_extent);
    UseRegion(recorder, pair, VK_PIPELINE_STAGE_2_BLIT_BIT, source_layout, destination_layout,
              regions[i].srcSubresource, source_offset, source_extent, regions[i].dstSubresource,
              destination_offset, destination_extent);
  }
  if (!pair.within.empty()) [[unlikely]]
    CheckOverlaps(call, *pair.source, pair.within, "00217");
}

void WriteBuffer(VkCall& call, VkCommandBuffer commands, VkBuffer handle, uint64_t offset,
                 uint64_t size, uint64_t stage) {
  Resource* buffer = UseBuffer(call, handle, kBuffers.destination);
  if (buffer == nullptr) return;
  CheckBufferUse(call, *buffer, true, kBuffers.destination);
  // The rest of the buffer, in whole words (Vulkan 1.3 §19.4).
  if (size == VK_WHOLE_SIZE)
    size = (buffer->bytes - std::min(buffer->bytes, offset)) & ~uint64_t{3};
  const Region region = Region::Linear(offset, size);
  if (region.end() > buffer->bytes || offset % 4 != 0 || size % 4 != 0) [[unlikely]] {
    Transfer transfer;
    transfer.kind = TransferKind::kFill;
    transfer.recorded = true;
    transfer.pattern_bytes = 4;
    transfer.destination.resource = buffer;
    transfer.destination.region = region;
    call.tracker().accesses().CheckTransfer(call, transfer);
    return;
  }
  Recorder recorder(call, commands);
  recorder.NeedOutside();
  if (recorder) recorder.Write(*buffer, region, stage, kWrite);
}

void ClearImage(VkCall& call, VkCommandBuffer commands, VkImage handle, VkImageLayout layout,
                uint32_t count, const VkImageSubresourceRange* ranges) {
  Resource* image = UseImage(call, handle, "image");
  if (image == nullptr) return;
  CheckImageUse(call, *image, true, layout, "image");
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  for (uint32_t i = 0; i < count; ++i) {
    CheckClearRange(call, *image, ranges[i]);
    recorder.Write(*image, PartOf(ImageOf(*image), ranges[i]), VK_PIPELINE_STAGE_2_CLEAR_BIT,
                   kWrite, layout);
  }
}

}  // namespace

void CmdCopyBuffer::Before(VkCall& call, VkCommandBuffer commands, VkBuffer source,
                           VkBuffer destination, uint32_t count, const VkBufferCopy* regions) {
  CopyBuffer(call, commands, source, destination, count, regions);
}
void CmdCopyBuffer2::Before(VkCall& call, VkCommandBuffer commands, const VkCopyBufferInfo2* info) {
  CopyBuffer(call, commands, info->srcBuffer, info->dstBuffer, info->regionCount, info->pRegions);
}

void CmdCopyImage::Before(VkCall& call, VkCommandBuffer commands, VkImage source,
                          VkImageLayout source_layout, VkImage destination,
                          VkImageLayout destination_layout, uint32_t count,
                          const VkImageCopy* regions) {
  CopyImage(call, commands, source, source_layout, destination, destination_layout, count, regions,
            VK_PIPELINE_STAGE_2_COPY_BIT);
}
void CmdCopyImage2::Before(VkCall& call, VkCommandBuffer commands, const VkCopyImageInfo2* info) {
  CopyImage(call, commands, info->srcImage, info->srcImageLayout, info->dstImage,
            info->dstImageLayout, info->regionCount, info->pRegions, VK_PIPELINE_STAGE_2_COPY_BIT);
}

void CmdCopyBufferToImage::Before(VkCall& call, VkCommandBuffer commands, VkBuffer source,
                                  VkImage destination, VkImageLayout layout, uint32_t count,
                                  const VkBufferImageCopy* regions) {
  CopyBufferAndImage<true>(call, commands, source, destination, layout, count, regions);
}
void CmdCopyBufferToImage2::Before(VkCall& call, VkCommandBuffer commands,
                                   const VkCopyBufferToImageInfo2* info) {
  CopyBufferAndImage<true>(call, commands, info->srcBuffer, info->dstImage, info->dstImageLayout,
                           info->regionCount, info->pRegions);
}
void CmdCopyImageToBuffer::Before(VkCall& call, VkCommandBuffer commands, VkImage source,
                                  VkImageLayout layout, VkBuffer destination, uint32_t count,
                                  const VkBufferImageCopy* regions) {
  CopyBufferAndImage<false>(call, commands, destination, source, layout, count, regions);
}
void CmdCopyImageToBuffer2::Before(VkCall& call, VkCommandBuffer commands,
                                   const VkCopyImageToBufferInfo2* info) {
  CopyBufferAndImage<false>(call, commands, info->dstBuffer, info->srcImage, info->srcImageLayout,
                            info->regionCount, info->pRegions);
}

void CmdBlitImage::Before(VkCall& call, VkCommandBuffer commands, VkImage source,
                          VkImageLayout source_layout, VkImage destination,
                          VkImageLayout destination_layout, uint32_t count,
                          const VkImageBlit* regions, VkFilter) {
  BlitImage(call, commands, source, source_layout, destination, destination_layout, count, regions);
}
void CmdBlitImage2::Before(VkCall& call, VkCommandBuffer commands, const VkBlitImageInfo2* info) {
  BlitImage(call, commands, info->srcImage, info->srcImageLayout, info->dstImage,
            info->dstImageLayout, info->regionCount, info->pRegions);
}

void CmdResolveImage::Before(VkCall& call, VkCommandBuffer commands, VkImage source,
                             VkImageLayout source_layout, VkImage destination,
                             VkImageLayout destination_layout, uint32_t count,
                             const VkImageResolve* regions) {
  CopyImage(call, commands, source, source_layout, destination, destination_layout, count, regions,
            VK_PIPELINE_STAGE_2_RESOLVE_BIT);
}
void CmdResolveImage2::Before(VkCall& call, VkCommandBuffer commands,
                              const VkResolveImageInfo2* info) {
  CopyImage(call, commands, info->srcImage, info->srcImageLayout, info->dstImage,
            info->dstImageLayout, info->regionCount, info->pRegions,
            VK_PIPELINE_STAGE_2_RESOLVE_BIT);
}

void CmdFillBuffer::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                           VkDeviceSize offset, VkDeviceSize size, uint32_t) {
  WriteBuffer(call, commands, buffer, offset, size, VK_PIPELINE_STAGE_2_CLEAR_BIT);
}
void CmdUpdateBuffer::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                             VkDeviceSize offset, VkDeviceSize size, const void*) {
  rules::CopyLimit limit;
  limit.most = 65536;
  if (size > limit.most) [[unlikely]] {
    limit.resource = UseBuffer(call, buffer, kBuffers.destination);
    limit.bytes = size;
    limit.vuid = "VUID-vkCmdUpdateBuffer-dataSize-00037";
    if (limit.resource != nullptr) rules::OnCopyLimit(limit, call);
    return;
  }
  WriteBuffer(call, commands, buffer, offset, size, VK_PIPELINE_STAGE_2_CLEAR_BIT);
}

void CmdWriteBufferMarker::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlagBits,
                                  VkBuffer handle, VkDeviceSize offset, uint32_t) {
  CmdWriteBufferMarker2().Before(call, commands, 0, handle, offset, 0);
}
void CmdWriteBufferMarker2::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags2,
                                   VkBuffer handle, VkDeviceSize offset, uint32_t) {
  Resource* buffer = UseBuffer(call, handle, kBuffers.destination);
  if (buffer == nullptr) return;
  CheckBufferUse(call, *buffer, true, kBuffers.destination);
  Recorder recorder(call, commands);
  if (!recorder) return;
  // As an access of a shader, a marker conflicts with other commands, but not with other markers.
  recorder
      .Write(*buffer, Region::Linear(offset, 4),
             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT, kWrite)
      .shader = true;
}

void CmdCopyQueryPoolResults::Before(VkCall& call, VkCommandBuffer commands,
                                     VkQueryPool pool_handle, uint32_t first, uint32_t count,
                                     VkBuffer handle, VkDeviceSize offset, VkDeviceSize stride,
                                     VkQueryResultFlags flags) {
  Resource* buffer = UseBuffer(call, handle, kBuffers.destination);
  if (buffer == nullptr || count == 0) return;
  CheckBufferUse(call, *buffer, true, kBuffers.destination);
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  PlainObject* pool = HoldQueryPool(call, recorder, pool_handle);
  if (pool != nullptr) {
    CheckQueryResults(call, *pool, first, count, false);
    CheckCopiedQueries(call, recorder.state(), *pool, first, count);
    CheckResultLayout(call, *pool, count, 0, stride, flags);
    // The other copies say which results they lack.
    if ((flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_PARTIAL_BIT)) == 0)
      RecordQueryCopy(recorder, *pool, first, count);
  }
  const uint64_t value = (flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
  CheckAligned(call, *buffer, "offset", offset, value, value == 8 ? "flags-00823" : "flags-00822");
  if (count > 1) {
    CheckAligned(call, *buffer, "stride", stride, value,
                 value == 8 ? "queryCount-12255" : "queryCount-12254");
  }
  // Of other writes than those of the known values nothing is known.
  const uint64_t one = pool != nullptr ? ResultBytes(*pool, flags) : value;
  const uint64_t bytes = SaturatingAdd(SaturatingMultiply(count - 1, stride), one);
  if (!HasBytes(call, *buffer, offset, bytes,
                offset < buffer->bytes ? "dstBuffer-00824" : "dstOffset-00819"))
    return;
  recorder.Write(*buffer, Region::Linear(offset, bytes), VK_PIPELINE_STAGE_2_COPY_BIT, kWrite)
      .shader = true;
}

void CmdClearColorImage::Before(VkCall& call, VkCommandBuffer commands, VkImage image,
                                VkImageLayout layout, const VkClearColorValue*, uint32_t count,
                                const VkImageSubresourceRange* ranges) {
  ClearImage(call, commands, image, layout, count, ranges);
}
void CmdClearDepthStencilImage::Before(VkCall& call, VkCommandBuffer commands, VkImage image,
                                       VkImageLayout layout, const VkClearDepthStencilValue*,
                                       uint32_t count, const VkImageSubresourceRange* ranges) {
  ClearImage(call, commands, image, layout, count, ranges);
}

}  // namespace gpusan::vulkan
