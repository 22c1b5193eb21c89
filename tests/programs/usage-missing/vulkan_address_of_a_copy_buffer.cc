// Defect: Asks for the address of a buffer that was created for copies only.
// Fix: The buffer is created for addresses.
// EXPECT error usage-missing vkGetBufferDeviceAddress at ADDRESS
// EXPECT-FACT vuid=VUID-VkBufferDeviceAddressInfo-buffer-02601
// EXIT any
#include "common/vulkan_addresses.h"

int main() {
  OpenForAddresses(VK_TRUE);
#ifdef DEFECT
  const Buffer buffer = MakeAddressed(kCopies, kAddressMemory);
#else
  const Buffer buffer = MakeAddressed(kAddressed, kAddressMemory);
#endif
  const VkBufferDeviceAddressInfo info = AddressInfo(buffer);
  // @ADDRESS
  vkGetBufferDeviceAddress(device, &info);
  Close(buffer);
}
