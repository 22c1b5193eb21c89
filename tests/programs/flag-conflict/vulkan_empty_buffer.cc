// Defect: Creates a buffer for a list that is empty.
// Fix: A buffer has at least one element.
// EXPECT error flag-conflict vkCreateBuffer at CREATE
// EXPECT-FACT vuid=VUID-VkBufferCreateInfo-size-00912
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  std::vector<uint32_t> list;
#ifndef DEFECT
  list.resize(1);
#endif
  const VkBufferCreateInfo info = BufferInfo(list.size() * sizeof(uint32_t));
  VkBuffer buffer;
  // @CREATE
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  Close(buffer);
}
