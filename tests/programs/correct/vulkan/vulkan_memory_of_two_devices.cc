// Memory that one device exports and another one imports: each writes and reads its half of the turns,
// and the host waits between them.
#include "common/vulkan.h"

#include <unistd.h>

namespace {

struct Side {
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
  VkCommandBuffer commands;
  VkBuffer buffer;
  VkDeviceMemory memory;
};

VkBuffer MakeShared() {
  const VkExternalMemoryBufferCreateInfo external = {
      VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
      VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  VkBufferCreateInfo info = BufferInfo(4096);
  info.pNext = &external;
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  return buffer;
}

VkDeviceMemory AllocateShared(VkBuffer buffer, const void* chain) {
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

Side Keep(VkBuffer buffer, VkDeviceMemory memory) {
  return {device, queue, pool, commands, buffer, memory};
}
void Turn(const Side& side) {
  device = side.device;
  queue = side.queue;
  pool = side.pool;
  commands = side.commands;
}

}  // namespace

int main() {
  Open({.extensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME}});
  const VkBuffer exported = MakeShared();
  const VkExportMemoryAllocateInfo exports = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, nullptr,
                                              VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  const Side first = Keep(exported, AllocateShared(exported, &exports));
  VkMemoryGetFdInfoKHR get = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR};
  get.memory = first.memory;
  get.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
  import.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  const auto get_fd = reinterpret_cast<PFN_vkGetMemoryFdKHR>(
      vkGetDeviceProcAddr(device, "vkGetMemoryFdKHR"));
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
