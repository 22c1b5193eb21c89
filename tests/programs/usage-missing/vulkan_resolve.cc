// Defect of_one_sample: Resolves an image with 1 sample a texel.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-srcImage-00257
// Defect to_another_format: Resolves to an image of another format.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-srcImage-01386
// Defect to_several_samples: Resolves to an image with 4 samples a texel.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-dstImage-00259
// Fix: Resolves an image with 4 samples to an image of the same format with 1 sample.
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
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
  // @COMMAND
  vkCmdResolveImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                    VK_IMAGE_LAYOUT_GENERAL, 1, &kResolveAll);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
