// Defect: Maps the 0 bytes that a size computed from an empty list has.
// Fix: Maps what the memory has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00680
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  VkDeviceSize bytes = 4096;
#ifdef DEFECT
  bytes = 0;
#endif
  void* data;
  // @MAP
  OK(vkMapMemory(device, buffer.memory, 0, bytes, 0, &data));
  vkUnmapMemory(device, buffer.memory);
  Close(buffer);
}
