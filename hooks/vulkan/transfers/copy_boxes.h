// The boxes of images in the arguments of transfers, and the corresponding bytes of buffers.
#pragma once

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// Whether the layers are valid for the kind of image: a 3D image has one layer.
[[gnu::always_inline]] inline bool HasOwnLayers(const ImageState& image,
                                                const VkImageSubresourceLayers& layers) {
  return !image.is_3d ||
         (layers.baseArrayLayer == 0 &&
          (layers.layerCount == 1 || layers.layerCount == VK_REMAINING_ARRAY_LAYERS));
}

// Whether a box of one mip level and some layers lies in the image.
[[gnu::always_inline]] inline bool IsInside(const ImageState& image,
                                            const VkImageSubresourceLayers& layers,
                                            const VkOffset3D& offset, const VkExtent3D& extent) {
  const VkExtent3D level = image.ExtentOf(layers.mipLevel);
  // As an unsigned number, a negative value exceeds every limit.
  auto fits = [](int32_t from, uint32_t size, uint32_t limit) {
    return uint64_t{static_cast<uint32_t>(from)} + size <= limit;
  };
  const bool layers_inside =
      image.is_3d || (layers.baseArrayLayer < image.layers &&
                      (layers.layerCount == VK_REMAINING_ARRAY_LAYERS ||
                       layers.layerCount <= image.layers - layers.baseArrayLayer));
  return layers.mipLevel < image.mips && layers_inside &&
         fits(offset.x, extent.width, level.width) && fits(offset.y, extent.height, level.height) &&
         fits(offset.z, extent.depth, level.depth);
}

// Returns the box as a part of the image. Precondition: IsInside returned true for it.
[[gnu::always_inline]] inline ImagePart BoxOf(const ImageState& image,
                                              const VkImageSubresourceLayers& layers,
                                              const VkOffset3D& offset, const VkExtent3D& extent) {
  ImagePart part = PartOf(image, layers);
  const VkExtent3D level = image.ExtentOf(layers.mipLevel);
  if (extent.width == level.width && extent.height == level.height && extent.depth == level.depth)
    return part;
  part.origin[0] = static_cast<uint32_t>(offset.x);
  part.origin[1] = static_cast<uint32_t>(offset.y);
  part.origin[2] = static_cast<uint32_t>(offset.z);
  part.extent[0] = extent.width;
  part.extent[1] = extent.height;
  part.extent[2] = extent.depth;
  return part;
}

// Returns the side of a transfer for the rules, in texels of one level. Describes the level in
// `*level`.
Side SideOf(Resource& resource, const VkImageSubresourceLayers& layers, const VkOffset3D& offset,
            const VkExtent3D& extent, ImageInfo* level);

[[gnu::always_inline]] inline uint32_t LayersOf(const ImageState& image,
                                                const VkBufferImageCopy& copy) {
  return PartOf(image, copy.imageSubresource).layers;
}

// Whether the texels follow each other in the buffer without gaps, for any extent. TightBytes
// returns their size [bytes].
inline bool IsTight(const VkBufferImageCopy& copy, const FormatBlock& block) {
  return copy.bufferRowLength == 0 && copy.bufferImageHeight == 0 && block.width == 1 &&
         block.height == 1;
}
inline uint64_t TightBytes(const VkBufferImageCopy& copy, const FormatBlock& block,
                           uint32_t layers) {
  const VkExtent3D& extent = copy.imageExtent;
  const uint64_t slice = SaturatingMultiply(uint64_t{extent.width} * extent.height, block.bytes);
  return SaturatingMultiply(slice, uint64_t{extent.depth} * layers);
}

// Bytes of the buffer that a copy to or from an image touches (Vulkan 1.3 §20.3.1).
Region BufferRegion(const VkBufferImageCopy& copy, const FormatBlock& block, uint32_t layers);

}  // namespace gpusan::vulkan
