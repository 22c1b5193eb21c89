// Defect: Asks for the address of a buffer whose memory was allocated without the flag for addresses.
// Fix: The memory has the flag.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-bufferDeviceAddress-03339
// EXIT any
#include "common/vulkan_addresses.h"

int main() {
  OpenForAddresses(VK_TRUE);
#ifdef DEFECT
  const Buffer buffer = MakeAddressed(kAddressed, 0);
#else
  const Buffer buffer = MakeAddressed(kAddressed, kAddressMemory);
#endif
  const VkBufferDeviceAddressInfo info = AddressInfo(buffer);
  // @ADDRESS
  vkGetBufferDeviceAddress(device, &info);
  Close(buffer);
}
