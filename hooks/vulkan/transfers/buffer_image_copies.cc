// Copies between buffers and images: checked and recorded when the program records them.
#include "hooks/vulkan/transfers/buffer_image_copies.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/recorder/fast_recorder.h"
#include "hooks/vulkan/transfers/copy_boxes.h"
#include "hooks/vulkan/transfers/transfer_uses.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/copy_limit.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

const VkBufferImageCopy& Plain(const VkBufferImageCopy& copy) { return copy; }
VkBufferImageCopy Plain(const VkBufferImageCopy2& copy) {
  return {copy.bufferOffset,     copy.bufferRowLength, copy.bufferImageHeight,
          copy.imageSubresource, copy.imageOffset,     copy.imageExtent};
}

// One region: bytes of the buffer and a part of the image.
template <bool upload, typename R, typename B>
[[gnu::always_inline]] inline void RecordCopy(R& recorder, Resource& buffer, const B& bytes,
                                              Resource& image, const ImagePart& part,
                                              Layout layout) {
  recorder.Use(image, part, VK_PIPELINE_STAGE_2_COPY_BIT, upload ? kTransferWrite : kTransferRead,
               layout, upload);
  recorder.Use(buffer, bytes, VK_PIPELINE_STAGE_2_COPY_BIT, upload ? kTransferRead : kTransferWrite,
               kNoLayout, !upload);
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
  const bool second = IsSecond(call);
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

// Adds a finding if the bytes of a region do not begin at a multiple of a texel block, or of 4 B
// for depth and stencil. Multi-planar images are not checked.
[[gnu::noinline, gnu::cold]] void CheckBufferOffset(VkCall& call, const Resource& buffer,
                                                    const ImageState& image, uint64_t offset,
                                                    bool upload) {
  constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const bool color = image.aspects == VK_IMAGE_ASPECT_COLOR_BIT;
  if (!color && (image.aspects & ~kDepth) != 0) return;
  const uint64_t unit = color ? image.block.bytes : 4;
  if (unit == 0 || offset % unit == 0) return;
  const char* of = upload ? (IsSecond(call) ? "VkCopyBufferToImageInfo2-dstImage-"
                                            : "vkCmdCopyBufferToImage-dstImage-")
                          : (IsSecond(call) ? "VkCopyImageToBufferInfo2-srcImage-"
                                            : "vkCmdCopyImageToBuffer-srcImage-");
  ReportSync(call, buffer, rules::SyncStateUse::Fault::kBufferOffset,
             absl::StrCat("the bufferOffset ", offset, ", which is not a multiple of ", unit, ","),
             absl::StrCat(of, color ? "07975" : "07978"));
}

// Adds a finding, and returns true, if the region names several aspects, layers of a 3D image, or a
// part of a texel block. Multi-planar images are not checked.
[[gnu::noinline, gnu::cold]] bool IsMalformed(VkCall& call, const Resource& image,
                                              const VkBufferImageCopy& copy, bool upload) {
  const ImageState& state = ImageOf(image);
  constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  if ((state.aspects & ~(VK_IMAGE_ASPECT_COLOR_BIT | kDepth)) != 0) return false;
  const bool second = IsSecond(call);
  const std::string of = upload
                             ? (second ? "VkCopyBufferToImageInfo2-" : "vkCmdCopyBufferToImage-")
                             : (second ? "VkCopyImageToBufferInfo2-" : "vkCmdCopyImageToBuffer-");
  const auto report = [&](std::string what, std::string vuid) {
    ReportSync(call, image, rules::SyncStateUse::Fault::kCopiedRegion, std::move(what),
               std::move(vuid));
    return true;
  };
  const auto image_vuid = [&](const char* number) {
    return absl::StrCat(of, upload ? "dstImage-" : "srcImage-", number);
  };
  const VkImageSubresourceLayers& layers = copy.imageSubresource;
  if ((layers.aspectMask & (layers.aspectMask - 1)) != 0)
    return report("several aspects", second ? "VkBufferImageCopy2-aspectMask-09103"
                                            : "VkBufferImageCopy-aspectMask-09103");
  if (!HasOwnLayers(state, layers)) {
    return report(absl::StrCat("baseArrayLayer ", layers.baseArrayLayer, " and layerCount ",
                               layers.layerCount),
                  image_vuid("07983"));
  }
  const FormatBlock& block = state.block;
  if (state.aspects != VK_IMAGE_ASPECT_COLOR_BIT || (block.width <= 1 && block.height <= 1))
    return false;
  const VkExtent3D level = state.ExtentOf(layers.mipLevel);
  struct Axis {
    const char* name;
    int32_t offset;
    uint32_t extent, level, unit;
    const char *offset_vuid, *extent_vuid;
  };
  for (const Axis& axis : {Axis{"x", copy.imageOffset.x, copy.imageExtent.width, level.width,
                                block.width, "07274", "00207"},
                           Axis{"y", copy.imageOffset.y, copy.imageExtent.height, level.height,
                                block.height, "07275", "00208"}}) {
    if (axis.offset % static_cast<int32_t>(axis.unit) != 0) {
      return report(absl::StrCat("the imageOffset.", axis.name, " ", axis.offset,
                                 ", which is not a multiple of ", axis.unit, ","),
                    image_vuid(axis.offset_vuid));
    }
    if (axis.extent % axis.unit == 0 || axis.offset < 0 ||
        uint64_t{static_cast<uint32_t>(axis.offset)} + axis.extent == axis.level)
      continue;
    return report(absl::StrCat("an extent of ", axis.extent, " in ", axis.name,
                               ", which neither is a multiple of ", axis.unit,
                               " nor reaches the edge of the level,"),
                  image_vuid(axis.extent_vuid));
  }
  if (copy.bufferRowLength % block.width != 0) {
    return report(absl::StrCat("the bufferRowLength ", copy.bufferRowLength,
                               ", which is not a multiple of ", block.width, ","),
                  absl::StrCat(of, "bufferRowLength-09106"));
  }
  if (copy.bufferImageHeight % block.height != 0) {
    return report(absl::StrCat("the bufferImageHeight ", copy.bufferImageHeight,
                               ", which is not a multiple of ", block.height, ","),
                  absl::StrCat(of, "bufferImageHeight-09107"));
  }
  return false;
}

// Whether a region is of the common case: color, tightly packed, inside of both. Sets its bytes in
// the buffer. Inline, so that the caller keeps them in registers.
[[gnu::always_inline]] inline bool IsPlain(const VkBufferImageCopy& copy, const ImageState& image,
                                           uint64_t buffer_bytes, Bytes* bytes) {
  const FormatBlock block = image.block;
  if (copy.imageSubresource.aspectMask != VK_IMAGE_ASPECT_COLOR_BIT || !IsTight(copy, block) ||
      block.bytes == 0 || (copy.bufferOffset & (block.bytes - 1u)) != 0 ||
      !HasOwnLayers(image, copy.imageSubresource) ||
      !IsInside(image, copy.imageSubresource, copy.imageOffset, copy.imageExtent)) [[unlikely]]
    return false;
  *bytes = {copy.bufferOffset, TightBytes(copy, block, LayersOf(image, copy))};
  return SaturatingAdd(bytes->offset, bytes->width) <= buffer_bytes;
}

// Checks one region that may exceed its buffer or image, or has pitches.
template <bool upload>
[[gnu::noinline]] void CopyRegion(Recorder& recorder, Resource& buffer, Resource& image,
                                  Layout layout, const VkBufferImageCopy& copy) {
  const ImageState& state = ImageOf(image);
  CheckBufferOffset(recorder.call(), buffer, state, copy.bufferOffset, upload);
  if (IsMalformed(recorder.call(), image, copy, upload)) [[unlikely]]
    return;
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
  constexpr const char* kBuffer = upload ? kBufferNames.source : kBufferNames.destination;
  constexpr const char* kImage = upload ? kImageNames.destination : kImageNames.source;
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
    Bytes bytes;
    if (recorder && IsPlain(copy, state, buffer->bytes, &bytes)) [[likely]] {
      RecordCopy<upload>(recorder, *buffer, bytes, *image,
                         BoxOf(state, copy.imageSubresource, copy.imageOffset, copy.imageExtent),
                         layout);
      continue;
    }
    CopyRegion<upload>(recorder, *buffer, *image, layout, copy);
  }
}

}  // namespace

template <bool upload>
Scope* CopyFast(FastCall call, VkCommandBuffer commands, VkBuffer buffer_handle,
                VkImage image_handle, VkImageLayout layout, const VkBufferImageCopy& copy) {
  CommandBufferState* state = FastState(commands);
  if (state == nullptr || state->pass.kind != PassInstance::Kind::kNone) [[unlikely]]
    return nullptr;
  Resource* buffer = FindFast<ObjectKind::kBuffer>(call, *state, HandleOf(buffer_handle));
  Resource* image = FindFast<ObjectKind::kImage>(call, *state, HandleOf(image_handle));
  Bytes bytes;
  if (buffer == nullptr || image == nullptr || !IsBufferUsable(*buffer, !upload) ||
      !IsImageUsable(*image, upload, layout) ||
      (ImageOf(*image).aspects & VK_IMAGE_ASPECT_COLOR_BIT) == 0 ||
      !IsPlain(copy, ImageOf(*image), buffer->bytes, &bytes) ||
      !state->recording->HasRoom(2 * (sizeof(RecordedUse) + sizeof(WholePart)))) [[unlikely]]
    return nullptr;
  FastRecorder recorder(call, *state);
  if (!recorder) [[unlikely]]
    return nullptr;
  RecordCopy<upload>(
      recorder, *buffer, bytes, *image,
      BoxOf(ImageOf(*image), copy.imageSubresource, copy.imageOffset, copy.imageExtent), layout);
  return state->scope;
}
template Scope* CopyFast<true>(FastCall, VkCommandBuffer, VkBuffer, VkImage, VkImageLayout,
                               const VkBufferImageCopy&);
template Scope* CopyFast<false>(FastCall, VkCommandBuffer, VkBuffer, VkImage, VkImageLayout,
                                const VkBufferImageCopy&);

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

}  // namespace gpusan::vulkan
