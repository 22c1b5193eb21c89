// Defect of_a_copy_buffer: Asks for the address of a buffer that was created for copies only.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-VkBufferDeviceAddressInfo-buffer-02601
// Defect of_plain_memory: The memory of the buffer was allocated without the flag for addresses.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-bufferDeviceAddress-03339
// Defect without_its_feature: The feature bufferDeviceAddress is not enabled.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-vkGetBufferDeviceAddress-bufferDeviceAddress-03324
// Fix: The feature is enabled, and the buffer and its memory are for addresses.
// EXIT any
#include "common/vulkan_addresses.h"

int main() {
  VkBool32 feature = VK_TRUE;
  VkBufferUsageFlags usage = kAddressed;
  VkMemoryAllocateFlags memory = kAddressMemory;
#ifdef DEFECT_of_a_copy_buffer
  usage = kCopies;
#elif defined(DEFECT_of_plain_memory)
  memory = 0;
#elif defined(DEFECT_without_its_feature)
  feature = VK_FALSE;
#endif
  OpenForAddresses(feature);
  const Buffer buffer = MakeAddressed(usage, memory);
  const VkBufferDeviceAddressInfo info = AddressInfo(buffer);
  // @ADDRESS
  vkGetBufferDeviceAddress(device, &info);
  Close(buffer);
}
