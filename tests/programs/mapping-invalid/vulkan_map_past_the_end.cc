// Defect: Maps more than the memory has.
// Fix: Maps what the memory has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00681
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  void* data;
#ifdef DEFECT
  // @MAP
  OK(vkMapMemory(device, buffer.memory, 0, 1 << 20, 0, &data));
#else
  OK(vkMapMemory(device, buffer.memory, 0, 4096, 0, &data));
#endif
  vkUnmapMemory(device, buffer.memory);
  Close(buffer);
}
