// Defect: A buffer view is created of a buffer that was created for copies only.
// Fix: The buffer has the usage of a texel buffer.
// EXPECT error usage-missing vkCreateBufferView at VIEW
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkBufferUsageFlags usage = kCopies | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
#ifdef DEFECT
  usage = kCopies;
#endif
  const Buffer buffer = MakeBuffer(4096, usage);
  VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.handle;
  info.format = VK_FORMAT_R32_UINT;
  info.range = VK_WHOLE_SIZE;
  VkBufferView view;
  // @VIEW
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  Close(buffer);
}
