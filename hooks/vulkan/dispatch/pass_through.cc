// A Vulkan layer that watches nothing.
#include "hooks/vulkan/dispatch/pass_through.h"

#include <vulkan/vk_layer.h>

#include <cstdint>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "hooks/vulkan/call/duplicate_layer.h"

namespace gpusan::vulkan {
namespace {

// One for instances and devices: static thread storage is scarce. The layers of one question or
// creation do not begin another of the other kind on the same thread.
// The layer below the lower gpusan, while the upper gpusan creates its object.
constinit thread_local void* lower_next = nullptr;
// The handle in whose next layer this thread looks a function up.
constinit thread_local const void* looked_up_in = nullptr;

// The layer below one instance or device. gpusan may be twice in the chain, with another layer in
// between: then both are these same functions, and `below` is what follows the lower one.
template <typename Handle, typename Function>
struct Next {
  Handle handle = VK_NULL_HANDLE;
  Function next = nullptr;
  Function below = nullptr;
};

// By the first word of the handles of one instance or device. An entry stays when its object is
// destroyed; the next object with that word replaces it. Thread-safe.
template <typename Handle, typename Function>
class NextFunctions {
 public:
  void Set(Handle handle, Function next) {
    std::lock_guard lock(mutex_);
    next_[KeyOf(handle)] = {handle, next, reinterpret_cast<Function>(lower_next)};
    lower_next = reinterpret_cast<void*>(next);
  }

  // Empty for handles that were not created through this layer.
  Next<Handle, Function> Of(const void* dispatchable) {
    std::lock_guard lock(mutex_);
    const auto found = next_.find(KeyOf(dispatchable));
    return found != next_.end() ? found->second : Next<Handle, Function>{};
  }

  // Looks the function up in the next layer. A layer between the two gpusan layers that lacks the
  // command forwards the look-up to the lower one, while the look-up of the upper one runs.
  PFN_vkVoidFunction LookUp(Handle handle, const char* name) {
    const Next<Handle, Function> entry = Of(handle);
    const Function next = looked_up_in == handle ? entry.below : entry.next;
    if (next == nullptr) return nullptr;
    const void* const before = looked_up_in;
    looked_up_in = handle;
    const PFN_vkVoidFunction answer = next(handle, name);
    looked_up_in = before;
    return answer;
  }

 private:
  static uintptr_t KeyOf(const void* dispatchable) {
    return *static_cast<const uintptr_t*>(dispatchable);
  }

  std::mutex mutex_;
  std::unordered_map<uintptr_t, Next<Handle, Function>> next_;
};

// Never destroyed: other threads may call while the process ends.
auto& Instances() {
  static auto* const instances = new NextFunctions<VkInstance, PFN_vkGetInstanceProcAddr>;
  return *instances;
}
auto& Devices() {
  static auto* const devices = new NextFunctions<VkDevice, PFN_vkGetDeviceProcAddr>;
  return *devices;
}

VKAPI_ATTR VkResult VKAPI_CALL PassingCreateInstance(const VkInstanceCreateInfo* info,
                                                     const VkAllocationCallbacks* allocator,
                                                     VkInstance* instance) {
  VkLayerInstanceCreateInfo* link = InstanceLink(info->pNext);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(next(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  lower_next = nullptr;
  const VkResult code = create(info, allocator, instance);
  if (code == VK_SUCCESS) Instances().Set(*instance, next);
  return code;
}

VKAPI_ATTR VkResult VKAPI_CALL PassingCreateDevice(VkPhysicalDevice physical,
                                                   const VkDeviceCreateInfo* info,
                                                   const VkAllocationCallbacks* allocator,
                                                   VkDevice* device) {
  VkLayerDeviceCreateInfo* link = DeviceLink(info->pNext);
  // A physical device has the dispatch word of its instance.
  const VkInstance instance = Instances().Of(physical).handle;
  if (link == nullptr || instance == VK_NULL_HANDLE) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(next_instance(instance, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  lower_next = nullptr;
  const VkResult code = create(physical, info, allocator, device);
  if (code == VK_SUCCESS) Devices().Set(*device, next);
  return code;
}

}  // namespace

PFN_vkVoidFunction VKAPI_CALL PassingInstanceProcAddr(VkInstance instance, const char* name) {
  const std::string_view wanted = name;
  if (wanted == "vkGetInstanceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&PassingInstanceProcAddr);
  if (wanted == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&PassingDeviceProcAddr);
  if (wanted == "vkCreateInstance")
    return reinterpret_cast<PFN_vkVoidFunction>(&PassingCreateInstance);
  if (wanted == "vkCreateDevice") return reinterpret_cast<PFN_vkVoidFunction>(&PassingCreateDevice);
  if (instance == VK_NULL_HANDLE) return nullptr;
  return Instances().LookUp(instance, name);
}

PFN_vkVoidFunction VKAPI_CALL PassingDeviceProcAddr(VkDevice device, const char* name) {
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&PassingDeviceProcAddr);
  return Devices().LookUp(device, name);
}

}  // namespace gpusan::vulkan
