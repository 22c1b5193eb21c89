// Commands that read one image and write another, both in VK_IMAGE_LAYOUT_GENERAL. They are recorded and never run.
#pragma once

#include "common/vulkan.h"

[[maybe_unused]] static Image MakeOf(VkFormat format,
                                     VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT) {
  VkImageCreateInfo info = ImageInfo(16, 16, format);
  info.samples = samples;
  info.usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  return MakeImage(info);
}

[[maybe_unused]] static void BeginWith(const Image& source, const Image& destination) {
  Begin();
  VkImageMemoryBarrier barriers[2];
  for (VkImageMemoryBarrier& barrier : barriers)
    barrier = ImageBarrier(&barrier == barriers ? source.handle : destination.handle,
                           VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                           VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 2, barriers);
}

constexpr VkImageCopy kCopyAll = {kFirst, {}, kFirst, {}, {16, 16, 1}};
constexpr VkImageResolve kResolveAll = {kFirst, {}, kFirst, {}, {16, 16, 1}};
constexpr VkImageBlit kBlitAll = {kFirst, {{}, {16, 16, 1}}, kFirst, {{}, {16, 16, 1}}};
