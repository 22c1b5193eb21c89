// Copies into an image that has never left the layout it was created in, and says so.
// EXPECT error layout-mismatch vkCmdCopyBufferToImage at COPY
// EXPECT-FACT expected_layout=VK_IMAGE_LAYOUT_UNDEFINED
// MAY missing-barrier
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(64 * 64 * 4);
  const Image image = MakeImage(ImageInfo(64, 64));
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {64, 64, 1};
  Begin();
  // @COPY
  vkCmdCopyBufferToImage(commands, staging.handle, image.handle, VK_IMAGE_LAYOUT_UNDEFINED, 1,
                         &all);
  Run();
  Destroy(staging);
  Destroy(image);
  Close();
}
