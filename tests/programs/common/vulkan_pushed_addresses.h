// Pipelines whose shaders get the address of a buffer by their push constants.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/address.comp.h"
#include "shaders/moved.comp.h"

constexpr VkBufferUsageFlags kByAddress = kStorage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

struct Pushing {
  VkPipelineLayout layout;
  VkPipeline pipeline;
};

// The push constants of moved.comp.
struct Moved {
  uint32_t first, count;
  VkDeviceAddress at;
};

[[maybe_unused]] static void OpenForShaders() {
  static VkPhysicalDeviceBufferDeviceAddressFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  features.bufferDeviceAddress = VK_TRUE;
  Open({.features = &features});
}

template <size_t kWords>
static Pushing MakePushing(const uint32_t (&code)[kWords], uint32_t pushed) {
  Pushing made;
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, pushed};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  OK(vkCreatePipelineLayout(device, &info, nullptr, &made.layout));
  made.pipeline = MakeComputePipeline(made.layout, code, sizeof(code));
  return made;
}

[[maybe_unused]] static void Destroy(const Pushing& pushing) {
  vkDestroyPipeline(device, pushing.pipeline, nullptr);
  vkDestroyPipelineLayout(device, pushing.layout, nullptr);
}

[[maybe_unused]] static VkDeviceMemory AllocateAddressed(VkDeviceSize bytes, uint32_t types) {
  VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  info.allocationSize = bytes;
  info.memoryTypeIndex = MemoryType(types, 0);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

[[maybe_unused]] static VkDeviceAddress AddressOf(VkBuffer buffer) {
  VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  info.buffer = buffer;
  return vkGetBufferDeviceAddress(device, &info);
}

// In memory of its own.
[[maybe_unused]] static Buffer MakeAddressedBuffer(VkDeviceSize bytes) {
  Buffer buffer;
  const VkBufferCreateInfo info = BufferInfo(bytes, kByAddress);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  buffer.memory = AllocateAddressed(needs.size, needs.memoryTypeBits);
  OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
  return buffer;
}

template <typename Pushed>
static void Bind(const Pushing& pushing, const Pushed& pushed) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pushing.pipeline);
  vkCmdPushConstants(commands, pushing.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(pushed),
                     &pushed);
}

// Records a dispatch of `groups` workgroups of 64 invocations.
template <typename Pushed>
static void Dispatch(const Pushing& pushing, const Pushed& pushed, uint32_t groups) {
  Bind(pushing, pushed);
  vkCmdDispatch(commands, groups, 1, 1);
}
