// Defect of_no_bytes: Maps the 0 bytes that a size computed from an empty list has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00680
// EXIT any
// Defect past_the_end: Maps more than the memory has.
// EXPECT error mapping-invalid vkMapMemory at MAP
// EXPECT-FACT vuid=VUID-vkMapMemory-size-00681
// Defect unmap_without_a_map: Unmaps memory that is not mapped.
// EXPECT error mapping-invalid vkUnmapMemory at UNMAP
// EXPECT-FACT vuid=VUID-vkUnmapMemory-memory-00689
// Defect flush_beyond_the_mapping: The offsets of a flush are counted from the mapping instead of
// from the memory.
// EXPECT error mapping-invalid vkFlushMappedMemoryRanges at FLUSH
// EXPECT-PARTY map at MAP_2
// EXPECT-FACT vuid=VUID-VkMappedMemoryRange-size-00685
// Fix: The program maps memory once, flushes what it has mapped, and unmaps what is mapped.
#include "common/vulkan.h"
#include "common/vulkan_host.h"

// Fix: Maps what the memory has.
static void Map() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
  VkDeviceSize bytes = 4096;
#ifdef DEFECT_of_no_bytes
  bytes = 0;
#elif defined(DEFECT_past_the_end)
  bytes = 1 << 20;
#endif
  void* data;
  // @MAP
  OK(vkMapMemory(device, buffer.memory, 0, bytes, 0, &data));
  vkUnmapMemory(device, buffer.memory);
  Close(buffer);
}

// Fix: Unmaps memory that is mapped.
static void UnmapWithoutAMap() {
  Open();
  const Buffer buffer = MakeBuffer(4096, kCopies, kHostMemory);
#ifndef DEFECT_unmap_without_a_map
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
#endif
  // @UNMAP
  vkUnmapMemory(device, buffer.memory);
  Close(buffer);
}

// Fix: The offsets of a flush are counted from the memory.
static void FlushBeyondTheMapping() {
  if (LacksTestDevice()) return;
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096);
  void* data;
  // @MAP_2
  OK(vkMapMemory(device, staging.memory, 1024, 1024, 0, &data));
  memset(data, 7, 1024);
#ifdef DEFECT_flush_beyond_the_mapping
  const VkMappedMemoryRange range = MappedRange(staging, 0, 1024);
#else
  const VkMappedMemoryRange range = MappedRange(staging, 1024, 1024);
#endif
  // @FLUSH
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Close(staging);
}

int main() {
  Map();
  UnmapWithoutAMap();
  FlushBeyondTheMapping();
}
