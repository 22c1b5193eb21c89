// Defect of_another_buffer: A buffer is bound to memory that is dedicated to another buffer.
// EXPECT error binding-invalid vkBindBufferMemory at BIND
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-memory-01508
// Defect too_small: Binds memory that is smaller than the buffer needs, counted from the offset. No
// command uses it.
// EXPECT error binding-invalid vkBindBufferMemory at BIND_2
// EXPECT-FACT vuid=VUID-vkBindBufferMemory-None-10741
// Defect twice_in_one_bind: One call binds an image twice, to two ranges of memory.
// EXPECT error binding-invalid vkBindImageMemory2 at BIND_3
// EXPECT-FACT vuid=VUID-vkBindImageMemory2-pBindInfos-04006
// Defect imported_with_another_size: Memory is exported as an opaque handle, and imported with half
// of its size.
// EXPECT error binding-invalid vkAllocateMemory at IMPORT
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-01742
// EXPECT-TEXT with the allocationSize 2048, but it was allocated with 4096
// Fix: The memory is large enough, and for this object.
// EXIT any
#include "common/vulkan.h"
#include "common/vulkan_external.h"

// Fix: The buffer is bound for which the memory was allocated.
static void OfAnotherBuffer() {
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffers[2];
  for (VkBuffer& buffer : buffers) OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffers[0], &needs);
  VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  dedicated.buffer = buffers[0];
#ifdef DEFECT_of_another_buffer
  dedicated.buffer = buffers[1];
#endif
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.pNext = &dedicated;
  allocate.allocationSize = needs.size;
  while ((needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0) ++allocate.memoryTypeIndex;
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  // @BIND
  vkBindBufferMemory(device, buffers[0], memory, 0);
  for (VkBuffer buffer : buffers) vkDestroyBuffer(device, buffer, nullptr);
  Destroy(memory);
}

// Fix: The memory has room for the buffer after the offset.
static void TooSmall() {
  const Buffer staging = MakeStaging(4096);
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
#ifdef DEFECT_too_small
  const VkDeviceMemory memory = Allocate(needs, 0);
  // @BIND_2
  vkBindBufferMemory(device, buffer, memory, needs.alignment);
#else
  VkMemoryRequirements both = needs;
  both.size += needs.alignment;
  const VkDeviceMemory memory = Allocate(both, 0);
  OK(vkBindBufferMemory(device, buffer, memory, needs.alignment));
#endif
  Destroy(buffer, memory, staging);
}

// Fix: The second element of the call binds the second image.
static void TwiceInOneBind() {
  const VkImageCreateInfo info = ImageInfo(64, 64);
  VkImage images[2];
  for (VkImage& image : images) OK(vkCreateImage(device, &info, nullptr, &image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, images[0], &needs);
  vkGetImageMemoryRequirements(device, images[1], &needs);
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = 2 * needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  VkBindImageMemoryInfo binds[2] = {};
  for (int i = 0; i < 2; ++i) {
    binds[i].sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO;
    binds[i].image = images[i];
    binds[i].memory = memory;
    binds[i].memoryOffset = i * needs.size;
  }
#ifdef DEFECT_twice_in_one_bind
  binds[1].image = images[0];
#endif
  // @BIND_3
  vkBindImageMemory2(device, 2, binds);
  for (VkImage image : images) vkDestroyImage(device, image, nullptr);
  vkFreeMemory(device, memory, nullptr);
}

// Fix: The import has the size of the exported memory.
static void ImportedWithAnotherSize() {
  OpenForExports();
  const VkDeviceMemory memory = AllocateForExport(4096, MemoryType(~0u, kHostMemory));
  VkImportMemoryFdInfoKHR import;
  VkMemoryAllocateInfo info = ImportOf(memory, &import);
  info.allocationSize = 4096;
  info.memoryTypeIndex = MemoryType(~0u, kHostMemory);
#ifdef DEFECT_imported_with_another_size
  info.allocationSize = 2048;
#endif
  VkDeviceMemory imported = VK_NULL_HANDLE;
  // @IMPORT
  const VkResult code = vkAllocateMemory(device, &info, nullptr, &imported);
  if (code != VK_SUCCESS) close(import.fd);
  Close(imported, memory);
}

int main() {
  Open();
  OfAnotherBuffer();
  TooSmall();
  TwiceInOneBind();
  Close();
  ImportedWithAnotherSize();
}
