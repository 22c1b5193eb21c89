// Copies of buffers and of images, fills, clears, blits and resolves: checked and recorded when the
// program records them.
#include "hooks/vulkan/transfers/transfers.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/recording/query_checks.h"
#include "hooks/vulkan/transfers/address_transfers.h"
#include "hooks/vulkan/transfers/clear_ranges.h"
#include "hooks/vulkan/transfers/copy_boxes.h"
#include "hooks/vulkan/transfers/copy_overlaps.h"
#include "hooks/vulkan/transfers/image_pair_checks.h"
#include "hooks/vulkan/transfers/transfer_uses.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/copy_limit.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

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
  Resource* source = UseBuffer(call, source_handle, kBufferNames.source);
  Resource* destination = UseBuffer(call, destination_handle, kBufferNames.destination);
  if (source == nullptr || destination == nullptr) return;
  CheckBufferUse(call, *source, false, kBufferNames.source);
  CheckBufferUse(call, *destination, true, kBufferNames.destination);
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
    if (regions[i].size == 0) [[unlikely]] {
      ReportSync(call, *source, rules::SyncStateUse::Fault::kCopiesNothing,
                 absl::StrCat("pRegions[", i, "]"), "size-01988");
      continue;
    }
    if (!recorder) continue;
    recorder.Use(*source, from, VK_PIPELINE_STAGE_2_COPY_BIT, kTransferRead);
    recorder.Write(*destination, to, VK_PIPELINE_STAGE_2_COPY_BIT, kTransferWrite);
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
  ImagePair pair{UseImage(call, source, kImageNames.source),
                 UseImage(call, destination, kImageNames.destination),
                 {}};
  if (!pair.usable()) return pair;
  CheckImageUse(call, *pair.source, false, source_layout, kImageNames.source);
  CheckImageUse(call, *pair.destination, true, destination_layout, kImageNames.destination);
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
               kTransferRead, source_layout);
  recorder.Write(*pair.destination,
                 BoxOf(destination, destination_layers, destination_offset, destination_extent),
                 stage, kTransferWrite, destination_layout);
  return true;
}

template <typename Copy>
void CopyImage(VkCall& call, VkCommandBuffer commands, VkImage source, VkImageLayout source_layout,
               VkImage destination, VkImageLayout destination_layout, uint32_t count,
               const Copy* regions, uint64_t stage) {
  ImagePair pair = UseImages(call, source, source_layout, destination, destination_layout);
  if (!pair.usable()) return;
  if (stage == VK_PIPELINE_STAGE_2_RESOLVE_BIT) {
    CheckResolve(call, *pair.source, *pair.destination);
  } else {
    CheckCopy(call, *pair.source, *pair.destination);
  }
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
               const Blit* regions, VkFilter filter) {
  ImagePair pair = UseImages(call, source, source_layout, destination, destination_layout);
  if (!pair.usable()) return;
  CheckBlit(call, *pair.source, *pair.destination, filter);
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
  Resource* buffer = UseBuffer(call, handle, kBufferNames.destination);
  if (buffer == nullptr) return;
  CheckBufferUse(call, *buffer, true, kBufferNames.destination);
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
  if (recorder) recorder.Write(*buffer, region, stage, kTransferWrite);
}

void ClearImage(VkCall& call, VkCommandBuffer commands, VkImage handle, VkImageLayout layout,
                uint32_t count, const VkImageSubresourceRange* ranges, bool color) {
  Resource* image = UseImage(call, handle, "image");
  if (image == nullptr) return;
  CheckClearFormat(call, *image, color);
  CheckImageUse(call, *image, true, layout, "image");
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  for (uint32_t i = 0; i < count; ++i) {
    CheckClearRange(call, *image, ranges[i]);
    recorder.Write(*image, PartOf(ImageOf(*image), ranges[i]), VK_PIPELINE_STAGE_2_CLEAR_BIT,
                   kTransferWrite, layout);
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

void CmdBlitImage::Before(VkCall& call, VkCommandBuffer commands, VkImage source,
                          VkImageLayout source_layout, VkImage destination,
                          VkImageLayout destination_layout, uint32_t count,
                          const VkImageBlit* regions, VkFilter filter) {
  BlitImage(call, commands, source, source_layout, destination, destination_layout, count, regions,
            filter);
}
void CmdBlitImage2::Before(VkCall& call, VkCommandBuffer commands, const VkBlitImageInfo2* info) {
  BlitImage(call, commands, info->srcImage, info->srcImageLayout, info->dstImage,
            info->dstImageLayout, info->regionCount, info->pRegions, info->filter);
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
    limit.resource = UseBuffer(call, buffer, kBufferNames.destination);
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
  Resource* buffer = UseBuffer(call, handle, kBufferNames.destination);
  if (buffer == nullptr) return;
  CheckBufferUse(call, *buffer, true, kBufferNames.destination);
  Recorder recorder(call, commands);
  if (!recorder) return;
  // As an access of a shader, a marker conflicts with other commands, but not with other markers.
  recorder
      .Write(*buffer, Region::Linear(offset, 4),
             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT, kTransferWrite)
      .shader = true;
}

void CmdCopyQueryPoolResults::Before(VkCall& call, VkCommandBuffer commands,
                                     VkQueryPool pool_handle, uint32_t first, uint32_t count,
                                     VkBuffer handle, VkDeviceSize offset, VkDeviceSize stride,
                                     VkQueryResultFlags flags) {
  Resource* buffer = UseBuffer(call, handle, kBufferNames.destination);
  if (buffer == nullptr || count == 0) return;
  CheckBufferUse(call, *buffer, true, kBufferNames.destination);
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
  recorder
      .Write(*buffer, Region::Linear(offset, bytes), VK_PIPELINE_STAGE_2_COPY_BIT, kTransferWrite)
      .shader = true;
}

void CmdCopyQueryPoolResultsToMemory::Before(VkCall& call, VkCommandBuffer commands,
                                             VkQueryPool pool_handle, uint32_t, uint32_t count,
                                             const void* argument, uint32_t,
                                             VkQueryResultFlags flags) {
  const auto* range =
      later::Read<later::VkStridedDeviceAddressRangeKHR>(call, argument, "pDstRange");
  Recorder recorder(call, commands);
  if (!recorder || range == nullptr || count == 0) return;
  recorder.NeedOutside();
  const PlainObject* pool = HoldQueryPool(call, recorder, pool_handle);
  const uint64_t one = pool != nullptr ? ResultBytes(*pool, flags) : 4;
  const uint64_t bytes = SaturatingAdd(SaturatingMultiply(count - 1, range->stride), one);
  RecordedUse* use = UseAddressed(recorder, {range->address, std::min(bytes, range->size)},
                                  VK_PIPELINE_STAGE_2_COPY_BIT, kTransferWrite, true);
  // Of other writes than those of the known values nothing is known.
  if (use != nullptr) use->shader = true;
}

void CmdClearColorImage::Before(VkCall& call, VkCommandBuffer commands, VkImage image,
                                VkImageLayout layout, const VkClearColorValue*, uint32_t count,
                                const VkImageSubresourceRange* ranges) {
  ClearImage(call, commands, image, layout, count, ranges, true);
}
void CmdClearDepthStencilImage::Before(VkCall& call, VkCommandBuffer commands, VkImage image,
                                       VkImageLayout layout, const VkClearDepthStencilValue*,
                                       uint32_t count, const VkImageSubresourceRange* ranges) {
  ClearImage(call, commands, image, layout, count, ranges, false);
}

}  // namespace gpusan::vulkan
