// Defect: Destroys a buffer twice; the driver may not survive that.
// Fix: Destroys a buffer once.
// EXPECT error double-free vkDestroyBuffer at SECOND
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer buffer = MakeBuffer(4096);
  // @FIRST
  vkDestroyBuffer(device, buffer.handle, nullptr);
#ifdef DEFECT
  // @SECOND
  vkDestroyBuffer(device, buffer.handle, nullptr);
#endif
  Close(buffer.memory);
}
