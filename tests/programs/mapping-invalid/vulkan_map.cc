// Defect of_no_bytes: Maps the 0 bytes that a size computed from an empty list has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00680
// EXIT any
// Defect past_the_end: Maps more than the memory has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00681
// Fix: Maps what the memory has.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  VkDeviceSize bytes = 4096;
#ifdef DEFECT_of_no_bytes
  bytes = 0;
#elif defined(DEFECT_past_the_end)
  bytes = 1 << 20;
#endif
  void* data;
  // @MAP
  OK(vkMapMemory(device, buffer.memory, 0, bytes, 0, &data));
  vkUnmapMemory(device, buffer.memory);
  Close(buffer);
}
