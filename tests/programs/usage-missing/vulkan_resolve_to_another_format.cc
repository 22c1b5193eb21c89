// Defect: Resolves to an image of another format.
// Fix: Both images have the same format.
// EXPECT error usage-missing vkCmdResolveImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdResolveImage-srcImage-01386
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
#ifdef DEFECT
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT);
  const Image destination = MakeOf(VK_FORMAT_B8G8R8A8_UNORM);
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
