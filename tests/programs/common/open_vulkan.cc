// Opens the device of a Vulkan program.
#include <unistd.h>

#include "common/vulkan.h"

// Where a test layer is found, whatever else is added there.
static void AddLayers(const char* folder) {
  const char* known = getenv("VK_ADD_LAYER_PATH");
  char path[4096];
  snprintf(path, sizeof(path), "%s%s%s", known != nullptr ? known : "", known != nullptr ? ":" : "",
           folder);
  setenv("VK_ADD_LAYER_PATH", path, 1);
}
static const char* AddTestDevice() {
  AddLayers(VULKAN_TEST_DEVICE);
  return "VK_LAYER_GPUSAN_test_device";
}
bool HasTestDevice() { return access(VULKAN_TEST_DEVICE, F_OK) == 0; }
static const char* AddTestFault(const char* call) {
  AddLayers(VULKAN_TEST_DEVICE "/../fault_layer");
  if (call != nullptr) setenv("GPUSAN_TEST_LOSE", call, 1);
  return "VK_LAYER_GPUSAN_test_fault";
}

void Open(const Wanted& wanted) {
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instance_info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance_info.pApplicationInfo = &application;
  std::vector<const char*> layers;
  if (wanted.second_family || wanted.test_device) layers.push_back(AddTestDevice());
  if (wanted.lost_by != nullptr || wanted.calls_back) layers.push_back(AddTestFault(wanted.lost_by));
  instance_info.enabledLayerCount = static_cast<uint32_t>(layers.size());
  instance_info.ppEnabledLayerNames = layers.data();
  instance_info.pNext = wanted.instance_chain;
  instance_info.enabledExtensionCount = static_cast<uint32_t>(wanted.instance_extensions.size());
  instance_info.ppEnabledExtensionNames = wanted.instance_extensions.data();
  NEEDS(vkCreateInstance(&instance_info, nullptr, &instance) == VK_SUCCESS);
  uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance, &count, &physical);
  NEEDS(count == 1);
  uint32_t families = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, nullptr);
  std::vector<VkQueueFamilyProperties> properties(families);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, properties.data());
  while (family < families && (properties[family].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) ++family;
  NEEDS(family < families && properties[family].queueCount >= wanted.queues);
  vkGetPhysicalDeviceMemoryProperties(physical, &memory_properties);
  const std::vector<float> priorities(wanted.queues, 1.0f);
  std::vector<VkDeviceQueueCreateInfo> queue_infos(1, {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO});
  queue_infos[0].queueFamilyIndex = family;
  queue_infos[0].queueCount = wanted.queues;
  queue_infos[0].pQueuePriorities = priorities.data();
  if (wanted.second_family) {
    NEEDS(families > 1);
    second_family = family == 0 ? 1 : 0;
    queue_infos.push_back(queue_infos[0]);
    queue_infos[1].queueFamilyIndex = second_family;
    queue_infos[1].queueCount = 1;
  }
  VkDeviceCreateInfo device_info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device_info.pNext = wanted.features;
  device_info.queueCreateInfoCount = static_cast<uint32_t>(queue_infos.size());
  device_info.pQueueCreateInfos = queue_infos.data();
  device_info.enabledExtensionCount = static_cast<uint32_t>(wanted.extensions.size());
  device_info.ppEnabledExtensionNames = wanted.extensions.data();
  OK(vkCreateDevice(physical, &device_info, nullptr, &device));
  vkGetDeviceQueue(device, family, 0, &queue);
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool_info.queueFamilyIndex = family;
  OK(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  OK(vkAllocateCommandBuffers(device, &allocate, &commands));
}
