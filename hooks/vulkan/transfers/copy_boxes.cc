// Boxes of images as transfers name them, and the corresponding bytes of buffers.
#include "hooks/vulkan/transfers/copy_boxes.h"

#include <algorithm>

namespace gpusan::vulkan {

Side SideOf(Resource& resource, const VkImageSubresourceLayers& layers, const VkOffset3D& offset,
            const VkExtent3D& extent, ImageInfo* level) {
  const ImageState& image = ImageOf(resource);
  Side side;
  side.resource = &resource;
  *level = *resource.image;
  const VkExtent3D size = image.ExtentOf(layers.mipLevel);
  level->extent[0] = size.width;
  level->extent[1] = size.height;
  level->extent[2] = size.depth;
  level->dimensions = 3;
  // A mip level that the image lacks has no texels.
  if (layers.mipLevel >= image.mips) level->extent[0] = 0;
  const uint64_t origin[3] = {static_cast<uint64_t>(std::max(offset.x, 0)),
                              static_cast<uint64_t>(std::max(offset.y, 0)),
                              static_cast<uint64_t>(std::max(offset.z, 0))};
  for (int axis = 0; axis < 3; ++axis) side.box.origin[axis] = origin[axis];
  side.box.extent[0] = extent.width;
  side.box.extent[1] = extent.height;
  side.box.extent[2] = extent.depth;
  if (!image.is_3d && image.layers > 1) {
    level->array = true;
    level->extent[2] = image.layers;
    side.box.origin[2] = layers.baseArrayLayer;
    side.box.extent[2] = layers.layerCount == VK_REMAINING_ARRAY_LAYERS
                             ? image.layers - std::min(image.layers, layers.baseArrayLayer)
                             : layers.layerCount;
  }
  side.level = level;
  return side;
}

Region BufferRegion(const VkBufferImageCopy& copy, const FormatBlock& block, uint32_t layers) {
  const uint64_t row_length =
      copy.bufferRowLength != 0 ? copy.bufferRowLength : copy.imageExtent.width;
  const uint64_t rows_in_slice =
      copy.bufferImageHeight != 0 ? copy.bufferImageHeight : copy.imageExtent.height;
  auto blocks = [](uint64_t texels, uint32_t side) {
    return side == 1 ? texels : (texels + side - 1) / side;
  };
  const uint64_t row_pitch = blocks(row_length, block.width) * block.bytes;
  const uint64_t slice_pitch = blocks(rows_in_slice, block.height) * row_pitch;
  return Region::Strided(copy.bufferOffset,
                         blocks(copy.imageExtent.width, block.width) * block.bytes,
                         blocks(copy.imageExtent.height, block.height), row_pitch,
                         uint64_t{copy.imageExtent.depth} * layers, slice_pitch);
}

}  // namespace gpusan::vulkan
