// Defect: The program ends without destroying anything.
// Fix: The program destroys everything before it ends.
// EXPECT error leak vkCreateBuffer at BUFFER
// EXPECT warning leak vkCreateDevice at DEVICE
// EXPECT warning leak vkCreateInstance at INSTANCE
#include "common/vulkan.h"

int main() {
  VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  // @INSTANCE
  OK(vkCreateInstance(&instance_info, nullptr, &instance));
  uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance, &count, &physical);
  NEEDS(count == 1);
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.queueCreateInfoCount = 1;
  device_info.pQueueCreateInfos = &queue_info;
  // @DEVICE
  OK(vkCreateDevice(physical, &device_info, nullptr, &device));
  const VkBufferCreateInfo info = BufferInfo(4096);
  VkBuffer buffer;
  // @BUFFER
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
#ifndef DEFECT
  vkDestroyBuffer(device, buffer, nullptr);
  vkDestroyDevice(device, nullptr);
  vkDestroyInstance(instance, nullptr);
#endif
}
