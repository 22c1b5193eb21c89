// Defect: The last page of the host memory that device memory was imported from is unmapped before
// the device memory is freed.
// Fix: Only the page after the imported ones is unmapped.
// EXPECT warning host-free-in-flight munmap at HERE
// EXPECT-PARTY allocation at IMPORT
#include <sys/mman.h>

#include "common/vulkan_imports.h"

int main() {
  OpenForImports();
  void* mapped =
      mmap(nullptr, 5 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped != MAP_FAILED);
  char* pages = static_cast<char*>(mapped);
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(pages, 4 * 4096, &import);
  VkDeviceMemory memory;
  // @IMPORT
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
#ifdef DEFECT
  // @HERE
  CHECK(munmap(pages + 3 * 4096, 4096) == 0);
#else
  CHECK(munmap(pages + 4 * 4096, 4096) == 0);
#endif
  vkFreeMemory(device, memory, nullptr);
  CHECK(munmap(pages, 3 * 4096) == 0);
  Close();
}
