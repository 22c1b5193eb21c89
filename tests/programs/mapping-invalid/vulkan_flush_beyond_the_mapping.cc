// Defect: The offsets of a flush are counted from the mapping instead of from the memory.
// Fix: The offsets of a flush are counted from the memory.
// EXPECT error mapping-invalid vkFlushMappedMemoryRanges at FLUSH
// EXPECT-PARTY map at MAP
// EXPECT-FACT vuid=VUID-VkMappedMemoryRange-size-00685
#include "common/vulkan_host.h"

int main() {
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 1024, 1024, 0, &data));
  memset(data, 7, 1024);
#ifdef DEFECT
  const VkMappedMemoryRange range = MappedRange(staging, 0, 1024);
#else
  const VkMappedMemoryRange range = MappedRange(staging, 1024, 1024);
#endif
  // @FLUSH
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Close(staging);
}
