// Maps more than the memory has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00681
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  void* data;
  // @MAP
  OK(vkMapMemory(device, buffer.memory, 0, 1 << 20, 0, &data));
  vkUnmapMemory(device, buffer.memory);
  Destroy(buffer);
  Close();
}
