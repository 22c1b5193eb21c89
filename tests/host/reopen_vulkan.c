// A plug-in that uses Vulkan: "linked" with the loader, or "opened" by itself. An instance is all
// that it makes, as not each machine has a device.
#include <dlfcn.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))
static void* api;

EXPORT void* plugin_api(void) { return api; }

static int Work(PFN_vkGetInstanceProcAddr get) {
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                         .apiVersion = VK_API_VERSION_1_1};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application};
  VkInstance instance;
  PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
  if (create == NULL || create(&info, NULL, &instance) != VK_SUCCESS) return -1;
#define FIND(name) PFN_##name name##_ = (PFN_##name)get(instance, #name)
  FIND(vkEnumeratePhysicalDevices);
  FIND(vkCreateDevice);
  FIND(vkGetDeviceQueue);
  FIND(vkDeviceWaitIdle);
  FIND(vkDestroyDevice);
  FIND(vkDestroyInstance);
  uint32_t count = 1;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  const VkResult code = vkEnumeratePhysicalDevices_(instance, &count, &physical);
  int result = -2;
  if (code >= 0 && count == 1) {
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queues};
    VkDevice device;
    if (vkCreateDevice_(physical, &device_info, NULL, &device) == VK_SUCCESS) {
      VkQueue queue;
      vkGetDeviceQueue_(device, 0, 0, &queue);
      result = vkDeviceWaitIdle_(device) == VK_SUCCESS ? 7168 : -3;
      vkDestroyDevice_(device, NULL);
    }
  }
  vkDestroyInstance_(instance, NULL);
  return result;
}

EXPORT int plugin_work(const char* kind) {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return -20;
  api = dlsym(library, "vkGetInstanceProcAddr");
  PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)api;
#ifdef LINKED
  if (strcmp(kind, "linked") == 0) get = &vkGetInstanceProcAddr;
#endif
  (void)kind;
  const int result = Work(get);
  dlclose(library);
  return result;
}
