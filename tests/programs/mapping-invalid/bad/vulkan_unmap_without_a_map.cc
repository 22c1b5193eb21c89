// Unmaps memory that is not mapped.
// EXPECT error mapping-invalid vkUnmapMemory at UNMAP
// EXPECT-FACT vuid=VUID-vkUnmapMemory-memory-00689
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  // @UNMAP
  vkUnmapMemory(device, buffer.memory);
  Destroy(buffer);
  Close();
}
