// Defect: Blits from an image of integers with a linear filter.
// Fix: The filter takes the nearest texel.
// EXPECT error usage-missing vkCmdBlitImage at COMMAND
// EXPECT-FACT vuid=VUID-vkCmdBlitImage-filter-02001
// EXIT any
#include "common/vulkan_image_pairs.h"

int main() {
  Open();
  const Image source = MakeOf(VK_FORMAT_R8G8B8A8_UINT);
  const Image destination = MakeOf(VK_FORMAT_R8G8B8A8_UINT);
#ifdef DEFECT
  const VkFilter filter = VK_FILTER_LINEAR;
#else
  const VkFilter filter = VK_FILTER_NEAREST;
#endif
  BeginWith(source, destination);
  // @COMMAND
  vkCmdBlitImage(commands, source.handle, VK_IMAGE_LAYOUT_GENERAL, destination.handle,
                 VK_IMAGE_LAYOUT_GENERAL, 1, &kBlitAll, filter);
  OK(vkEndCommandBuffer(commands));
  Close(source, destination);
}
