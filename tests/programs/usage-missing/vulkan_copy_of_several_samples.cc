// Defect: Copies an image with 4 samples a texel to one with 1 sample.
// Fix: Both images have 4 samples.
// EXPECT error usage-missing vkCmdCopyImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdCopyImage-srcImage-00136
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
#ifdef DEFECT
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdCopyImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kCopyAll);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
