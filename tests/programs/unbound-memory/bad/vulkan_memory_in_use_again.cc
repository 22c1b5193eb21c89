// Frees the memory of an image, allocates other memory, which mostly gets the same handle, and makes
// a view of the image.
// EXPECT error unbound-memory vkCreateImageView at VIEW
// EXPECT-PARTY release at FREE
#include "common/vulkan.h"

int main() {
  Open();
  const Image image = MakeImage(ImageInfo(16, 16));
  // @FREE
  vkFreeMemory(device, image.memory, nullptr);
  const Image another = MakeImage(ImageInfo(16, 16));
  VkImageViewCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  info.image = image.handle;
  info.viewType = VK_IMAGE_VIEW_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.subresourceRange = kWhole;
  VkImageView view;
  // @VIEW
  OK(vkCreateImageView(device, &info, nullptr, &view));
  vkDestroyImageView(device, view, nullptr);
  vkDestroyImage(device, image.handle, nullptr);
  Destroy(another);
  Close();
}
