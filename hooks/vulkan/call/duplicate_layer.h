// gpusan twice in one chain of layers: two manifests name it, say an explicit one and an implicit
// one. The upper works, the lower passes everything on.
//
// The two are the same functions, so that what a layer between them asks is told apart by when it
// asks: while the upper one makes its instance or device, questions are for the lower one.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

namespace gpusan::vulkan {

// What stands below the lower one; nullptr: there is none.
struct DuplicateLayer {
  PFN_vkGetInstanceProcAddr get_instance = nullptr;
  PFN_vkGetDeviceProcAddr get_device = nullptr;
};

// While this thread's upper one makes an instance or a device.
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

// What the lower one answers; nullptr where nothing is below.
PFN_vkVoidFunction PassOn(VkInstance instance, const char* name);
PFN_vkVoidFunction PassOn(VkDevice device, const char* name);
// The lower one's part in the creation of an instance.
VkResult PassCreateInstance(const VkInstanceCreateInfo* info,
                            const VkAllocationCallbacks* allocator, VkInstance* instance);

// The loader's link to the next layer in a creation's chain; nullptr: it is none of a layer's.
VkLayerInstanceCreateInfo* InstanceLink(const void* chain);
VkLayerDeviceCreateInfo* DeviceLink(const void* chain);

}  // namespace gpusan::vulkan
