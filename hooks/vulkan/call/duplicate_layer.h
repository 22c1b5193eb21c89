// gpusan twice in one chain of layers: two manifests name it, for example an explicit and an
// implicit one. The upper layer works, the lower layer forwards everything.
//
// Both layers are the same functions. A look-up by a layer between them is attributed by time:
// while the upper layer creates its instance or device, look-ups are meant for the lower layer.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

namespace gpusan::vulkan {

// The look-up functions of the layer below the lower gpusan; nullptr: gpusan is in the chain once.
struct DuplicateLayer {
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

// The lower layer's answer to a look-up; nullptr if gpusan is in the chain once.
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
