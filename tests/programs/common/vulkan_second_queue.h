// The queue of the second family of a device that was opened with Wanted::second_family.
#pragma once

#include "common/vulkan.h"

struct SecondQueue {
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;  // of the pool
};

[[maybe_unused]] static SecondQueue OpenSecondQueue() {
  SecondQueue second;
  vkGetDeviceQueue(device, SecondFamily(), 0, &second.queue);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.queueFamilyIndex = SecondFamily();
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &second.pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = second.pool;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &second.commands));
  return second;
}
