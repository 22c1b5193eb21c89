// What the programs share that are about mapped memory: buffers in memory that is not coherent, and
// barriers for the host.
#pragma once

#include "common/vulkan.h"

// A device whose memory the host can see without being coherent, by the test layer where the driver
// has no such type.
[[maybe_unused]] static void OpenWithNonCoherentMemory() {
  Wanted wanted;
  wanted.test_device = true;
  Open(wanted);
}

// Of a type that the host can reach and that is not coherent.
[[maybe_unused]] static VkDeviceMemory AllocateNonCoherent(const VkMemoryRequirements& needs) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = VK_MAX_MEMORY_TYPES;
  for (uint32_t i = 0; i < memory_properties.memoryTypeCount; ++i) {
    if ((needs.memoryTypeBits >> i & 1) != 0 &&
        (memory_properties.memoryTypes[i].propertyFlags & kHostMemory) ==
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
      info.memoryTypeIndex = i;
  }
  NEEDS(info.memoryTypeIndex != VK_MAX_MEMORY_TYPES);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &info, nullptr, &memory));
  return memory;
}

[[maybe_unused]] static Buffer MakeNonCoherent(VkDeviceSize bytes,
                                               VkBufferUsageFlags usage = kCopies) {
  Buffer buffer;
  const VkBufferCreateInfo info = BufferInfo(bytes, usage);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer.handle));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
  buffer.memory = AllocateNonCoherent(needs);
  OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
  return buffer;
}

[[maybe_unused]] static unsigned char* Map(const Buffer& buffer) {
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
  return static_cast<unsigned char*>(data);
}

[[maybe_unused]] static VkMappedMemoryRange MappedRange(const Buffer& buffer,
                                                        VkDeviceSize offset = 0,
                                                        VkDeviceSize bytes = VK_WHOLE_SIZE) {
  VkMappedMemoryRange range = {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
  range.memory = buffer.memory;
  range.offset = offset;
  range.size = bytes;
  return range;
}

// Behind the writes of transfers: makes them visible to the host.
[[maybe_unused]] static void CmdHostBarrier() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &barrier, 0, nullptr, 0, nullptr);
}

[[maybe_unused]] static VkFence MakeFence() {
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &info, nullptr, &fence));
  return fence;
}

// Ends the command buffer and submits it.
[[maybe_unused]] static void Submit(VkFence fence) {
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &info, fence));
}
