// The layer's instances and devices, and the properties that they have beyond the driver's.
#include "layer.h"

#include <cstring>
#include <memory>

namespace test_layer {
namespace {

std::mutex lock;
// By dispatch key: the first word of a dispatchable handle.
std::unordered_map<const void*, std::unique_ptr<Instance>> instances;
std::unordered_map<const void*, std::unique_ptr<Device>> devices;

const void* KeyOf(const void* dispatchable) {
  return *static_cast<const void* const*>(dispatchable);
}

template <typename Info>
Info* LayerLink(const void* chain, VkStructureType type, VkLayerFunction function) {
  for (auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr; at = at->pNext) {
    auto* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(at));
    if (at->sType == type && info->function == function) return info;
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* allocator,
                                              VkInstance* handle) {
  auto* link = LayerLink<VkLayerInstanceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, VK_LAYER_LINK_INFO);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult code = reinterpret_cast<PFN_vkCreateInstance>(
      get(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, handle);
  if (code != VK_SUCCESS) return code;
  auto made = std::make_unique<Instance>();
  made->handle = *handle;
  made->get = get;
  // Asked now: later the loader would answer with the top of the chain.
  auto fetch = [&](auto* function, const char* name) {
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(get(*handle, name));
  };
  fetch(&made->destroy, "vkDestroyInstance");
  fetch(&made->properties, "vkGetPhysicalDeviceProperties");
  fetch(&made->properties2, "vkGetPhysicalDeviceProperties2");
  fetch(&made->families, "vkGetPhysicalDeviceQueueFamilyProperties");
  fetch(&made->families2, "vkGetPhysicalDeviceQueueFamilyProperties2");
  fetch(&made->memory, "vkGetPhysicalDeviceMemoryProperties");
  fetch(&made->memory2, "vkGetPhysicalDeviceMemoryProperties2");
  std::lock_guard guard(lock);
  instances[KeyOf(*handle)] = std::move(made);
  return code;
}

VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance handle,
                                           const VkAllocationCallbacks* allocator) {
  if (handle == VK_NULL_HANDLE) return;
  const void* key = KeyOf(handle);
  InstanceOf(handle).destroy(handle, allocator);
  std::lock_guard guard(lock);
  instances.erase(key);
}

void Change(VkPhysicalDevice physical, VkPhysicalDeviceProperties* properties) {
  const Added added = AddedTo(InstanceOf(physical), physical);
  properties->limits.nonCoherentAtomSize = kAtomBytes;
  // Its pages are not the program's any more, which is what matters of a CPU's.
  if (added.hides_pages) properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

void Change(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties* memory) {
  const Added added = AddedTo(InstanceOf(physical), physical);
  if (added.type == kNone) return;
  memory->memoryTypes[added.type].propertyFlags =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  memory->memoryTypes[added.type].heapIndex = memory->memoryTypes[added.coherent_type].heapIndex;
  memory->memoryTypeCount = added.type + 1;
}

VKAPI_ATTR void VKAPI_CALL Properties(VkPhysicalDevice physical,
                                      VkPhysicalDeviceProperties* properties) {
  InstanceOf(physical).properties(physical, properties);
  Change(physical, properties);
}
VKAPI_ATTR void VKAPI_CALL Properties2(VkPhysicalDevice physical,
                                       VkPhysicalDeviceProperties2* properties) {
  InstanceOf(physical).properties2(physical, properties);
  Change(physical, &properties->properties);
}
VKAPI_ATTR void VKAPI_CALL MemoryProperties(VkPhysicalDevice physical,
                                            VkPhysicalDeviceMemoryProperties* memory) {
  InstanceOf(physical).memory(physical, memory);
  Change(physical, memory);
}
VKAPI_ATTR void VKAPI_CALL MemoryProperties2(VkPhysicalDevice physical,
                                             VkPhysicalDeviceMemoryProperties2* memory) {
  InstanceOf(physical).memory2(physical, memory);
  Change(physical, &memory->memoryProperties);
}

// `T`: either version's structure; `Properties(T&)`: its first version's part.
template <typename T, typename Ask, typename Part>
void Families(VkPhysicalDevice physical, uint32_t* count, T* families, Ask ask, Part part) {
  const Added added = AddedTo(InstanceOf(physical), physical);
  if (added.family == kNone) return ask(physical, count, families);
  if (families == nullptr) {
    *count = added.family + 1;
    return;
  }
  uint32_t own = *count < added.family ? *count : added.family;
  const bool room = *count > added.family;
  ask(physical, &own, families);
  if (room) {
    VkQueueFamilyProperties& second = part(families[added.family]);
    second = part(families[0]);
    second.queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
    second.queueCount = 1;
  }
  *count = own + (room ? 1 : 0);
}

VKAPI_ATTR void VKAPI_CALL FamilyProperties(VkPhysicalDevice physical, uint32_t* count,
                                            VkQueueFamilyProperties* families) {
  Families(physical, count, families, InstanceOf(physical).families,
           [](VkQueueFamilyProperties& family) -> VkQueueFamilyProperties& { return family; });
}
VKAPI_ATTR void VKAPI_CALL FamilyProperties2(VkPhysicalDevice physical, uint32_t* count,
                                             VkQueueFamilyProperties2* families) {
  Families(physical, count, families, InstanceOf(physical).families2,
           [](VkQueueFamilyProperties2& family) -> VkQueueFamilyProperties& {
             return family.queueFamilyProperties;
           });
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator,
                                            VkDevice* handle) {
  const Instance& instance = InstanceOf(physical);
  auto* link = LayerLink<VkLayerDeviceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, VK_LAYER_LINK_INFO);
  auto* loader = LayerLink<VkLayerDeviceCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, VK_LOADER_DATA_CALLBACK);
  if (link == nullptr || loader == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const Added added = AddedTo(instance, physical);
  VkDeviceCreateInfo changed = *info;
  std::vector<VkDeviceQueueCreateInfo> queues;
  bool own = false;
  for (uint32_t i = 0; i < info->queueCreateInfoCount; ++i)
    own = own || info->pQueueCreateInfos[i].queueFamilyIndex != added.family;
  for (uint32_t i = 0; i < info->queueCreateInfoCount; ++i) {
    VkDeviceQueueCreateInfo queue = info->pQueueCreateInfos[i];
    if (queue.queueFamilyIndex == added.family) {
      if (own) continue;
      queue.queueFamilyIndex = 0;
    }
    queues.push_back(queue);
  }
  changed.queueCreateInfoCount = static_cast<uint32_t>(queues.size());
  changed.pQueueCreateInfos = queues.data();
  std::vector<const char*> extensions(info->ppEnabledExtensionNames,
                                      info->ppEnabledExtensionNames + info->enabledExtensionCount);
  if (added.hides_pages) extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  changed.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  changed.ppEnabledExtensionNames = extensions.data();
  const VkResult code = reinterpret_cast<PFN_vkCreateDevice>(
      get_instance(instance.handle, "vkCreateDevice"))(physical, &changed, allocator, handle);
  if (code != VK_SUCCESS) return code;
  auto made = std::make_unique<Device>();
  made->handle = *handle;
  made->get = get;
  made->added = added;
  if (added.family != kNone) {
    NEXT(*made, vkGetDeviceQueue)(*handle, 0, 0, &made->queue);
    loader->u.pfnSetDeviceLoaderData(*handle, &made->second);
  }
  std::lock_guard guard(lock);
  devices[KeyOf(*handle)] = std::move(made);
  return code;
}

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice handle, const VkAllocationCallbacks* allocator) {
  if (handle == VK_NULL_HANDLE) return;
  const void* key = KeyOf(handle);
  NEXT(DeviceOf(handle), vkDestroyDevice)(handle, allocator);
  std::lock_guard guard(lock);
  devices.erase(key);
}

PFN_vkVoidFunction Own(const char* name) {
  for (const Function* table : {kDeviceFunctions, kQueueFunctions, kMemoryFunctions}) {
    for (; table->name != nullptr; ++table) {
      if (std::strcmp(table->name, name) == 0) return table->function;
    }
  }
  return nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance,
                                                             const char* name) {
  if (std::strcmp(name, "vkGetInstanceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&GetInstanceProcAddr);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&GetDeviceProcAddr);
  if (std::strcmp(name, "vkCreateInstance") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&CreateInstance);
  if (instance == VK_NULL_HANDLE) return nullptr;
  PFN_vkVoidFunction next = InstanceOf(instance).get(instance, name);
  PFN_vkVoidFunction own = Own(name);
  return next != nullptr && own != nullptr ? own : next;
}

// By the command that the driver has; for what asks for it without its extension.
VKAPI_ATTR void VKAPI_CALL CmdBindIndexBuffer2(VkCommandBuffer commands, VkBuffer buffer,
                                               VkDeviceSize offset, VkDeviceSize,
                                               VkIndexType type) {
  NEXT(DeviceOf(commands), vkCmdBindIndexBuffer)(commands, buffer, offset, type);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&GetDeviceProcAddr);
  PFN_vkVoidFunction next = DeviceOf(device).get(device, name);
  if (next == nullptr && std::strcmp(name, "vkCmdBindIndexBuffer2KHR") == 0)
    return reinterpret_cast<PFN_vkVoidFunction>(&CmdBindIndexBuffer2);
  PFN_vkVoidFunction own = Own(name);
  return next != nullptr && own != nullptr ? own : next;
}

}  // namespace

Instance& InstanceOf(const void* dispatchable) {
  std::lock_guard guard(lock);
  return *instances.at(KeyOf(dispatchable));
}

Device& DeviceOf(const void* dispatchable) {
  std::lock_guard guard(lock);
  return *devices.at(KeyOf(dispatchable));
}

Added AddedTo(const Instance& instance, VkPhysicalDevice physical) {
  Added added;
  uint32_t families = 0;
  instance.families(physical, &families, nullptr);
  if (families == 1) added.family = 1;
  VkPhysicalDeviceMemoryProperties memory;
  instance.memory(physical, &memory);
  constexpr VkMemoryPropertyFlags kCoherent =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  bool lacks = memory.memoryTypeCount < VK_MAX_MEMORY_TYPES;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags & kCoherent;
    lacks = lacks && flags != VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    if (added.coherent_type == kNone && flags == kCoherent) added.coherent_type = i;
  }
  if (lacks && added.coherent_type != kNone) added.type = memory.memoryTypeCount;
  VkPhysicalDeviceProperties properties;
  instance.properties(physical, &properties);
  added.hides_pages = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  return added;
}

#define OWN(name, function) \
  { #name, reinterpret_cast < PFN_vkVoidFunction>(&function) }
const Function kDeviceFunctions[] = {
    OWN(vkDestroyInstance, DestroyInstance),
    OWN(vkGetPhysicalDeviceProperties, Properties),
    OWN(vkGetPhysicalDeviceProperties2, Properties2),
    OWN(vkGetPhysicalDeviceProperties2KHR, Properties2),
    OWN(vkGetPhysicalDeviceMemoryProperties, MemoryProperties),
    OWN(vkGetPhysicalDeviceMemoryProperties2, MemoryProperties2),
    OWN(vkGetPhysicalDeviceMemoryProperties2KHR, MemoryProperties2),
    OWN(vkGetPhysicalDeviceQueueFamilyProperties, FamilyProperties),
    OWN(vkGetPhysicalDeviceQueueFamilyProperties2, FamilyProperties2),
    OWN(vkGetPhysicalDeviceQueueFamilyProperties2KHR, FamilyProperties2),
    OWN(vkCreateDevice, CreateDevice),
    OWN(vkDestroyDevice, DestroyDevice),
    {nullptr, nullptr},
};

}  // namespace test_layer

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
  if (version->loaderLayerInterfaceVersion > 2) version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = &test_layer::GetInstanceProcAddr;
  version->pfnGetDeviceProcAddr = &test_layer::GetDeviceProcAddr;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
