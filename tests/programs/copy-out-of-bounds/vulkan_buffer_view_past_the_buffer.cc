// Defect: A buffer view shows more bytes than the buffer has.
// Fix: The view ends with the buffer.
// EXPECT error copy-out-of-bounds vkCreateBufferView at VIEW
// EXPECT-FACT vuid=VUID-VkBufferViewCreateInfo-offset-00931
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.handle;
  info.format = VK_FORMAT_R32_UINT;
  info.range = 4096;
#ifdef DEFECT
  info.range = 8192;
#endif
  VkBufferView view;
  // @VIEW
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  Close(buffer);
}
