// Defect: The flush covers exactly the bytes that were written, which are not whole atoms.
// Fix: The flush is rounded out to whole atoms.
// EXPECT error misaligned vkFlushMappedMemoryRanges at FLUSH
// EXPECT-PARTY map at MAP
// EXPECT-FACT vuid=VUID-VkMappedMemoryRange-offset-00687
// EXPECT-FACT alignment_bytes=64
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(static_cast<char*>(data) + 100, 7, 50);
#ifdef DEFECT
  const VkMappedMemoryRange range = MappedRange(staging, 100, 50);
#else
  const VkMappedMemoryRange range = MappedRange(staging, 64, 128);
#endif
  // @FLUSH
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Close(staging);
}
