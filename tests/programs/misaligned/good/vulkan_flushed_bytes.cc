// The bytes that were written are rounded out to whole atoms.
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(static_cast<char*>(data) + 100, 7, 50);
  const VkMappedMemoryRange range = MappedRange(staging, 64, 128);
  // @FLUSH
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Destroy(staging);
  Close();
}
