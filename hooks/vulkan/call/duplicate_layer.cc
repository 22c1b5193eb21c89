// gpusan twice in one chain of layers.
#include "hooks/vulkan/call/duplicate_layer.h"

#include <string_view>

namespace gpusan::vulkan {
namespace {

constinit thread_local DuplicateLayer* current = nullptr;

template <typename Info>
Info* LayerLink(const void* chain, VkStructureType type) {
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType != type) continue;
    Info* info = reinterpret_cast<Info*>(const_cast<VkBaseInStructure*>(at));
    if (info->function == VK_LAYER_LINK_INFO && info->u.pLayerInfo != nullptr) return info;
  }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL PassCreateDevice(VkPhysicalDevice physical,
                                                const VkDeviceCreateInfo* info,
                                                const VkAllocationCallbacks* allocator,
                                                VkDevice* device) {
  VkLayerDeviceCreateInfo* link = DeviceLink(info->pNext);
  if (link == nullptr || current == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  current->get_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(get(current->instance, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  return create(physical, info, allocator, device);
}

}  // namespace

DuplicateLayerScope::DuplicateLayerScope(DuplicateLayer* duplicate) : before_(current) {
  current = duplicate;
}
DuplicateLayerScope::~DuplicateLayerScope() { current = before_; }
DuplicateLayer* DuplicateLayerScope::Current() { return current; }

PFN_vkVoidFunction PassOn(VkInstance instance, const char* name) {
  if (current == nullptr || current->get_instance == nullptr) return nullptr;
  if (std::string_view(name) == "vkCreateDevice")
    return reinterpret_cast<PFN_vkVoidFunction>(&PassCreateDevice);
  return current->get_instance(instance, name);
}

PFN_vkVoidFunction PassOn(VkDevice device, const char* name) {
  return current != nullptr && current->get_device != nullptr ? current->get_device(device, name)
                                                              : nullptr;
}

VkResult PassCreateInstance(const VkInstanceCreateInfo* info,
                            const VkAllocationCallbacks* allocator, VkInstance* instance) {
  VkLayerInstanceCreateInfo* link = InstanceLink(info->pNext);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  current->get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(
      current->get_instance(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  return create(info, allocator, instance);
}

VkLayerInstanceCreateInfo* InstanceLink(const void* chain) {
  return LayerLink<VkLayerInstanceCreateInfo>(chain, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
}
VkLayerDeviceCreateInfo* DeviceLink(const void* chain) {
  return LayerLink<VkLayerDeviceCreateInfo>(chain, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
}

}  // namespace gpusan::vulkan
