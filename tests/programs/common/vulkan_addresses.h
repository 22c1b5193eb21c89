// A buffer whose address the program asks for.
#pragma once

#include "common/vulkan.h"

[[maybe_unused]] static void OpenForAddresses(VkBool32 enabled) {
  static VkPhysicalDeviceBufferDeviceAddressFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  features.bufferDeviceAddress = enabled;
  Open({.features = &features});
}

// `flags`: of its memory.
[[maybe_unused]] static Buffer MakeAddressed(VkBufferUsageFlags usage, VkMemoryAllocateFlags flags) {
  Buffer buffer;
  const VkBufferCreateInfo info = BufferInfo(256, usage);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  VkMemoryAllocateFlagsInfo flags_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags_info.flags = flags;
  VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags_info};
  memory.allocationSize = needs.size;
  memory.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
  OK(vkAllocateMemory(device, &memory, nullptr, &buffer.memory));
  OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
  return buffer;
}

[[maybe_unused]] static VkBufferDeviceAddressInfo AddressInfo(const Buffer& buffer) {
  VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  info.buffer = buffer.handle;
  return info;
}

constexpr VkBufferUsageFlags kAddressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
constexpr VkMemoryAllocateFlags kAddressMemory = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
