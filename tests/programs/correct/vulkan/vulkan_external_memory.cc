// Memory that others may use: exported images, imported host memory, and memory of two devices.
#include <unistd.h>

#include "common/vulkan.h"
#include "common/vulkan_external.h"

// An image of exported memory: whoever has the handle may have written it and changed its layout.
static void ExportedImageChangedElsewhere() {
  OpenForExports();
  VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
  external.handleTypes = kOpaque;
  VkImageCreateInfo info = ImageInfo(16, 16);
  info.pNext = &external;
  Image images[2];  // the second one is bound after the export
  for (Image& image : images) OK(vkCreateImage(device, &info, nullptr, &image.handle));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, images[0].handle, &needs);
  for (Image& image : images)
    image.memory = AllocateForExport(needs.size, MemoryType(needs.memoryTypeBits, 0));
  OK(vkBindImageMemory(device, images[0].handle, images[0].memory, 0));
  for (const Image& image : images) close(Export(image.memory));
  OK(vkBindImageMemory(device, images[1].handle, images[1].memory, 0));
  const Buffer target = MakeBuffer(16 * 16 * 4);
  VkBufferImageCopy all = {};
  all.imageSubresource = kFirst;
  all.imageExtent = {16, 16, 1};
  Begin();
  for (const Image& image : images) {
    vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           target.handle, 1, &all);
    VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &barrier, 0, nullptr, 0, nullptr);
  }
  Run();
  Close(images[0], images[1], target);
}

// Host memory is imported twice, used, and freed after both memory objects; and blocks beside
// imported memory, or with the same address later, are freed at any time.
static VkDeviceMemory Import(void* block) {
  VkImportMemoryHostPointerInfoEXT import;
  const VkMemoryAllocateInfo info = ImportInfo(block, 8192, &import);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

static void ImportedHostMemory() {
  OpenForImports();
  for (int i = 0; i < 3; ++i) {
    void* block = aligned_alloc(4096, 8192);
    void* beside = aligned_alloc(4096, 8192);
    const VkDeviceMemory first = Import(block), second = Import(block);
    const VkBuffer buffer = MakeImportedBuffer(first, 8192);
    Begin();
    vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 7);
    free(beside);
    Run();
    vkDestroyBuffer(device, buffer, nullptr);
    vkFreeMemory(device, second, nullptr);
    vkFreeMemory(device, first, nullptr);
    free(block);
    // May have the address of the block.
    void* other = aligned_alloc(4096, 8192);
    free(other);
    OK(vkResetCommandPool(device, pool, 0));
  }
  Close();
}

// Memory that one device exports and another one imports: each writes and reads its half of the
// turns, and the host waits between them.
struct Side {
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
  VkCommandBuffer commands;
  VkBuffer buffer;
  VkDeviceMemory memory;
};

static VkBuffer MakeShared() {
  const VkExternalMemoryBufferCreateInfo external = {
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  VkBufferCreateInfo info = BufferInfo(4096);
  info.pNext = &external;
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  return buffer;
}

static VkDeviceMemory AllocateShared(VkBuffer buffer, const void* chain) {
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, chain};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  OK(vkBindBufferMemory(device, buffer, memory, 0));
  return memory;
}

static Side Keep(VkBuffer buffer, VkDeviceMemory memory) {
  return {device, queue, pool, commands, buffer, memory};
}
static void Turn(const Side& side) {
  device = side.device;
  queue = side.queue;
  pool = side.pool;
  commands = side.commands;
}

static void MemoryOfTwoDevices() {
  Open({.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME}});
  const VkBuffer exported = MakeShared();
  const VkExportMemoryAllocateInfo exports = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                              nullptr,
                                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  const Side first = Keep(exported, AllocateShared(exported, &exports));
  VkMemoryGetFdInfoKHR get = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  get.memory = first.memory;
  get.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  const auto get_fd =
      reinterpret_cast<PFN_vkGetMemoryFdKHR>(vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
  OK(get_fd(device, &get, &import.fd));

  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  const char* extension = VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  device_info.enabledExtensionCount = 1;
  device_info.ppEnabledExtensionNames = &extension;
  OK(vkCreateDevice(physical, &device_info, nullptr, &device));
  vkGetDeviceQueue(device, family, 0, &queue);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool_info.queueFamilyIndex = family;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &commands));
  const VkBuffer imported = MakeShared();
  const Side second = Keep(imported, AllocateShared(imported, &import));
  const Buffer copied = MakeBuffer(4096);

  const VkBufferCopy all = {0, 0, 4096};
  for (uint32_t i = 0; i < 4; ++i) {
    Turn(first);
    Begin();
    vkCmdFillBuffer(commands, first.buffer, 0, VK_WHOLE_SIZE, i);
    Run();
    Turn(second);
    Begin();
    // Written by the other one alone.
    vkCmdCopyBuffer(commands, second.buffer, copied.handle, 1, &all);
    Run();
  }
  Destroy(copied);
  vkDestroyBuffer(device, second.buffer, nullptr);
  vkFreeMemory(device, second.memory, nullptr);
  vkDestroyCommandPool(device, pool, nullptr);
  vkDestroyDevice(device, nullptr);
  Turn(first);
  Close(first.buffer, first.memory);
}

int main() {
  ExportedImageChangedElsewhere();
  ImportedHostMemory();
  MemoryOfTwoDevices();
}
