// gpusan twice in one chain of layers, because two manifests name it, for example an explicit and
// an implicit one. The upper layer does the work, and the lower layer forwards all calls.
//
// Both layers have the same functions. For a look-up by a layer between them, the time decides:
// while the upper layer creates its instance or device, a look-up concerns the lower layer.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

namespace gpusan::vulkan {

// The look-up functions of the layer below the lower gpusan; nullptr: gpusan is in the chain once.
struct DuplicateLayer {
  VkInstance instance = VK_NULL_HANDLE;  // during the creation of a device
  PFN_vkGetInstanceProcAddr get_instance = nullptr;
  PFN_vkGetDeviceProcAddr get_device = nullptr;
};

// Alive while this thread's upper layer creates an instance or a device.
class DuplicateLayerScope {
 public:
  explicit DuplicateLayerScope(DuplicateLayer* duplicate);
  ~DuplicateLayerScope();
  DuplicateLayerScope(const DuplicateLayerScope&) = delete;
  DuplicateLayerScope& operator=(const DuplicateLayerScope&) = delete;
  static DuplicateLayer* Current();

 private:
  DuplicateLayer* const before_;
};

// Returns the result of a look-up in the lower layer; nullptr if gpusan is in the chain once.
PFN_vkVoidFunction PassOn(VkInstance instance, const char* name);
PFN_vkVoidFunction PassOn(VkDevice device, const char* name);
// The lower layer's vkCreateInstance.
VkResult PassCreateInstance(const VkInstanceCreateInfo* info,
                            const VkAllocationCallbacks* allocator, VkInstance* instance);

// The loader's link to the next layer in the pNext chain of a creation; nullptr: the chain has
// none.
VkLayerInstanceCreateInfo* InstanceLink(const void* chain);
VkLayerDeviceCreateInfo* DeviceLink(const void* chain);

}  // namespace gpusan::vulkan
