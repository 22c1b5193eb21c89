// Unmaps memory that is mapped.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
  vkUnmapMemory(device, buffer.memory);
  Destroy(buffer);
  Close();
}
