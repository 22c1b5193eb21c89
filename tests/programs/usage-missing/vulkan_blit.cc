// Defect of_integers_to_colors: Blits from an image of integers to one of colors.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-srcImage-00230
// Defect of_several_samples: Blits from an image with 4 samples a texel.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-srcImage-00233
// Defect that_filters_integers: Blits from an image of integers with a linear filter.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-filter-02001
// Fix: Both images have unsigned integers and 1 sample, and the filter takes the nearest texel.
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
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
  Close(source, destination);
}
