// Defect: Asks for the address of a buffer without the feature bufferDeviceAddress.
// Fix: The feature is enabled.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-vkGetBufferDeviceAddress-bufferDeviceAddress-03324
// EXIT any
#include "common/vulkan_addresses.h"

int main() {
#ifdef DEFECT
  OpenForAddresses(VK_FALSE);
#else
  OpenForAddresses(VK_TRUE);
#endif
  const Buffer buffer = MakeAddressed(kAddressed, kAddressMemory);
  const VkBufferDeviceAddressInfo info = AddressInfo(buffer);
  // @ADDRESS
  vkGetBufferDeviceAddress(device, &info);
  Close(buffer);
}
