// Defect half_page: The size of imported host memory is not a multiple of the alignment of the
// device.
// EXPECT error misaligned vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-01745
// Defect vector: Device memory is imported from a host pointer that is not aligned as the device
// needs it.
// EXPECT error misaligned vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkImportMemoryHostPointerInfoEXT-pHostPointer-01749
// Defect flushed_bytes: The flush covers exactly the bytes that were written, which are not whole
// atoms.
// EXPECT error misaligned vkFlushMappedMemoryRanges at FLUSH
// EXPECT-PARTY map at MAP
// EXPECT-FACT vuid=VUID-VkMappedMemoryRange-offset-00687
// EXPECT-FACT alignment_bytes=64
// Fix: Addresses, sizes and offsets are multiples of what the device demands.
#include "common/vulkan_external.h"
#include "common/vulkan_host.h"

// Fix: The pointer is at the start of a page, and the size is a multiple of the page.
static void Imported() {
  OpenForImports();
  char* block = static_cast<char*>(aligned_alloc(4096, 12288));
  VkImportMemoryHostPointerInfoEXT import;
  VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
#ifdef DEFECT_half_page
  info.allocationSize = 6000;
#elif defined(DEFECT_vector)
  import.pHostPointer = block + 64;
#endif
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  vkFreeMemory(device, memory, nullptr);
  free(block);
  Close();
}

// Fix: The flush is rounded out to whole atoms.
static void FlushedBytes() {
  if (LacksTestDevice()) return;
  OpenWithNonCoherentMemory();
  const Buffer staging = MakeNonCoherent(4096);
  void* data;
  // @MAP
  OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(static_cast<char*>(data) + 100, 7, 50);
#ifdef DEFECT_flushed_bytes
  const VkMappedMemoryRange range = MappedRange(staging, 100, 50);
#else
  const VkMappedMemoryRange range = MappedRange(staging, 64, 128);
#endif
  // @FLUSH
  OK(vkFlushMappedMemoryRanges(device, 1, &range));
  Close(staging);
}

int main() {
  Imported();
  FlushedBytes();
}
