// Destroys a buffer once.
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  vkDestroyBuffer(device, buffer.handle, nullptr);
  vkFreeMemory(device, buffer.memory, nullptr);
  Close();
}
