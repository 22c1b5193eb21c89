// Defect: Creates a buffer with one byte more than the device allows.
// Fix: The buffer has the largest size.
// EXPECT error flag-conflict vkCreateBuffer at CREATE
// EXPECT-FACT vuid=VUID-VkBufferCreateInfo-size-06409
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  VkPhysicalDeviceMaintenance4Properties most = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &most};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  NEEDS(most.maxBufferSize < ~0ull);
#ifdef DEFECT
  const VkBufferCreateInfo info = BufferInfo(most.maxBufferSize + 1);
#else
  const VkBufferCreateInfo info = BufferInfo(most.maxBufferSize);
#endif
  VkBuffer buffer;
  // @CREATE
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  Close(buffer);
}
