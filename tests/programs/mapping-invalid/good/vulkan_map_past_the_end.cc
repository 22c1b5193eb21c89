// Maps what the memory has.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, 4096, 0, &data));
  vkUnmapMemory(device, buffer.memory);
  Destroy(buffer);
  Close();
}
