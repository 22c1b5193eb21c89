// Defect: The last texel of a view of a buffer has half of its bytes, and another view begins at byte 4.
// Fix: The views begin at the alignment of the device, and have whole texels.
// EXPECT error misaligned vkCreateBufferView at RANGE
// EXPECT-FACT vuid=VUID-VkBufferViewCreateInfo-range-00929
// EXPECT error misaligned vkCreateBufferView at OFFSET
// EXPECT-FACT vuid=VUID-VkBufferViewCreateInfo-buffer-02751
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  const VkDeviceSize alignment = properties.limits.minTexelBufferOffsetAlignment;
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  VkBufferViewCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = buffer.handle;
  info.format = VK_FORMAT_R32G32B32A32_UINT;
  info.range = 1024;
#ifdef DEFECT
  info.range = 1032;
#endif
  VkBufferView view;
  // @RANGE
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  info.range = 1024;
  info.offset = alignment;
#ifdef DEFECT
  info.offset = 4;
  NEEDS(alignment > 4);
#endif
  // @OFFSET
  OK(vkCreateBufferView(device, &info, nullptr, &view));
  vkDestroyBufferView(device, view, nullptr);
  Close(buffer);
}
