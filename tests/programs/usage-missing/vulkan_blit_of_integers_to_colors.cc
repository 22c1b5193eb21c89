// Defect: Blits from an image of integers to one of colors.
// Fix: Both images have unsigned integers.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-srcImage-00230
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
#ifdef DEFECT
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UINT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UINT);
  const Image destination = MakeOf(VK_FORMAT_R32_UINT);
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdBlitImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kBlitAll, VK_FILTER_NEAREST);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
