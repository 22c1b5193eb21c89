// Defect: Resolves to an image with 4 samples a texel.
// Fix: The destination has 1 sample.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-dstImage-00259
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
#ifdef DEFECT
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdResolveImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                    VK_IMAGE_LAYOUT_GENERAL, 1, &kResolveAll);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
