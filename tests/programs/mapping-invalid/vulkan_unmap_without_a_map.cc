// Defect: Unmaps memory that is not mapped.
// Fix: Unmaps memory that is mapped.
// EXPECT error mapping-invalid vkUnmapMemory at UNMAP
// EXPECT-FACT vuid=VUID-vkUnmapMemory-memory-00689
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
#ifndef DEFECT
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
#endif
  // @UNMAP
  vkUnmapMemory(device, buffer.memory);
  Close(buffer);
}
