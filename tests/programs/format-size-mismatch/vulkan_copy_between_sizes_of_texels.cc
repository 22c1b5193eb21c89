// Defect: Copies an image with 4 bytes a texel to one with 8 bytes.
// Fix: Both images have 4 bytes a texel.
// EXPECT error format-size-mismatch vkCmdCopyImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdCopyImage-srcImage-01548
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
#ifdef DEFECT
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
  const Image destination = MakeOf(VK_FORMAT_R16G16B16A16_SFLOAT);
#else
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UNORM);
  const Image destination = MakeOf(VK_FORMAT_R16G16_SFLOAT);
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdCopyImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kCopyAll);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
