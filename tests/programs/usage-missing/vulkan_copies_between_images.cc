// Defect of_integers_to_colors: Blits from an image of integers to one of colors.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-srcImage-00230
// EXIT any
// Defect of_several_samples: Blits from an image with 4 samples a texel.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-srcImage-00233
// EXIT any
// Defect that_filters_integers: Blits from an image of integers with a linear filter.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-filter-02001
// EXIT any
// Defect of_one_sample: Resolves an image with 1 sample a texel.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND_2
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-srcImage-00257
// EXIT any
// Defect to_another_format: Resolves to an image of another format.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND_2
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-srcImage-01386
// EXIT any
// Defect to_several_samples: Resolves to an image with 4 samples a texel.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND_2
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-dstImage-00259
// EXIT any
// Defect copy_of_several_samples: Copies an image with 4 samples a texel to one with 1 sample.
// EXPECT error usage-missing vkCmdCopyImage at COMMAND_3
// EXPECT-FACT vuid=VUID-vkCmdCopyImage-srcImage-00136
// EXIT any
// Defect clear_of_another_kind: A depth image is cleared as a color, and a color image as depth.
// EXPECT error usage-missing vkCmdClearColorImage at COLOR
// EXPECT-FACT vuid=VUID-vkCmdClearColorImage-image-00007
// EXPECT error usage-missing vkCmdClearDepthStencilImage at DEPTH
// EXPECT-FACT vuid=VUID-vkCmdClearDepthStencilImage-image-00014
// Fix: The images have the formats, the samples and the kinds that the command needs.
#include "common/vulkan.h"
#include "common/vulkan_image_pairs.h"

// Fix: Both images have unsigned integers and 1 sample, and the filter takes the nearest texel.
static void Blits() {
  VkFormat from = VK_FORMAT_R8G8B8A8_UINT, to = VK_FORMAT_R32_UINT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkFilter filter = VK_FILTER_NEAREST;
#ifdef DEFECT_of_integers_to_colors
  to = VK_FORMAT_R8G8B8A8_UNORM;
#elif defined(DEFECT_of_several_samples)
  from = to = VK_FORMAT_R8G8B8A8_UNORM;
  samples = VK_SAMPLE_COUNT_4_BIT;
#elif defined(DEFECT_that_filters_integers)
  filter = VK_FILTER_LINEAR;
#endif
  const Image source = MakeOf(from, samples);
  const Image destination = MakeOf(to);
  BeginWith(source, destination);
  // @COMMAND
  vkCmdBlitImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kBlitAll, filter);
  OK(vkEndCommandBuffer(commands));
  Destroy(source, destination);
}

// Fix: Resolves an image with 4 samples to an image of the same format with 1 sample.
static void Resolves() {
  VkSampleCountFlagBits from = VK_SAMPLE_COUNT_4_BIT, to = VK_SAMPLE_COUNT_1_BIT;
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
#ifdef DEFECT_of_one_sample
  from = VK_SAMPLE_COUNT_1_BIT;
#elif defined(DEFECT_to_another_format)
  format = VK_FORMAT_B8G8R8A8_UNORM;
#elif defined(DEFECT_to_several_samples)
  to = VK_SAMPLE_COUNT_4_BIT;
#endif
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, from);
  const Image destination = MakeOf(format, to);
  BeginWith(source, destination);
  // @COMMAND_2
  vkCmdResolveImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                    VK_IMAGE_LAYOUT_GENERAL, 1, &kResolveAll);
  OK(vkEndCommandBuffer(commands));
  Destroy(source, destination);
}

// Fix: Both images have 4 samples.
static void CopyOfSeveralSamples() {
#ifdef DEFECT_copy_of_several_samples
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
#endif
  BeginWith(source, destination);
  // @COMMAND_3
  vkCmdCopyImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kCopyAll);
  OK(vkEndCommandBuffer(commands));
  Destroy(source, destination);
}

// Fix: Each image is cleared by the command for its format.
static void ClearOfAnotherKind() {
  const Image color = MakeImage(ImageInfo(16, 16));
  const Image depth = MakeImage(ImageInfo(16, 16, VK_FORMAT_D32_SFLOAT));
  VkImageSubresourceRange depth_range = kWhole;
  depth_range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  Image first = color, second = depth;
#ifdef DEFECT_clear_of_another_kind
  first = depth;
  second = color;
#endif
  VkImageMemoryBarrier barriers[2];
  for (int i = 0; i < 2; ++i) {
    barriers[i] =
        ImageBarrier((i == 0 ? color : depth).handle, VK_IMAGE_LAYOUT_UNDEFINED,
                     VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  barriers[1].subresourceRange = depth_range;
  Begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 2, barriers);
  const VkClearColorValue black = {};
  const VkClearDepthStencilValue far = {1, 0};
  // @COLOR
  vkCmdClearColorImage(commands, first.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black, 1,
                       &kWhole);
  // @DEPTH
  vkCmdClearDepthStencilImage(commands, second.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &far,
                              1, &depth_range);
#ifndef DEFECT_clear_of_another_kind
  Run();
#endif
  Destroy(color, depth);
}

int main() {
  Open();
  Blits();
  Resolves();
  CopyOfSeveralSamples();
  ClearOfAnotherKind();
  Close();
}
