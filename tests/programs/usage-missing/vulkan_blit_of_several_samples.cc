// Defect: Blits from an image with 4 samples a texel.
// Fix: The image has 1 sample.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-srcImage-00233
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
#ifdef DEFECT
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdBlitImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kBlitAll, VK_FILTER_NEAREST);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
