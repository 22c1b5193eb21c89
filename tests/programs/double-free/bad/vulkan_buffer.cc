// Destroys a buffer twice; the driver may not survive that.
// EXPECT error double-free vkDestroyBuffer at SECOND
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  // @FIRST
  vkDestroyBuffer(device, buffer.handle, nullptr);
  // @SECOND
  vkDestroyBuffer(device, buffer.handle, nullptr);
  vkFreeMemory(device, buffer.memory, nullptr);
  Close();
}
