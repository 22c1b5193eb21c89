// Instances and devices: their dispatch tables, and how a call finds them.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "hooks/vulkan/call/dispatch_slots.h"
#include "hooks/vulkan/call/messengers.h"
#include "tracker/objects/object.h"

namespace gpusan::vulkan {

class QueueState;

// What instance and device have in common: the functions of the next layer.
struct Scope {
  // nullptr where the next layer has none.
  void* next[kSlotCount] = {};
  // The program's object; nullptr while it is being made.
  PlainObject* object = nullptr;
  struct Instance* instance = nullptr;  // the instance, or that of the device
};

struct Instance : Scope {
  VkInstance handle = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get_proc_addr = nullptr;
  PFN_vkGetInstanceProcAddr below =
      nullptr;  // of the second gpusan in the chain (duplicate_layer.h)
  uint32_t api_version = VK_API_VERSION_1_0;
  bool debug_utils = false;
  // The program's messengers, which hear our findings too.
  Messengers messengers;
  // Those that hear its creation and destruction alone.
  Messengers creation_messengers;
};

struct Device : Scope {
  VkDevice handle = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr get_proc_addr = nullptr;
  PFN_vkGetDeviceProcAddr below = nullptr;  // of the second gpusan in the chain
  VkPhysicalDeviceMemoryProperties memory = {};
  VkPhysicalDeviceLimits limits = {};
  // The program may map memory by commands that these headers do not know (vkMapMemory2): nothing
  // is said of mappings.
  bool unseen_maps = false;
  // ... or bind descriptors by such commands: what shaders write is not known.
  bool unseen_bindings = false;
  bool cpu = false;  // its driver uses the memory of mappings itself
  std::vector<VkQueueFamilyProperties> families;
  std::mutex queues_lock;
  std::vector<QueueState*> queues;  // owned; those that the program has asked for
  // Batches that its queues have parked, in all; changed under the lock of their queue.
  std::atomic<uint32_t> parked{0};
  std::atomic<bool> lost{false};      // a call has said so; what it does not do is not judged
  std::atomic<bool> presents{false};  // an image of a swapchain was acquired

  // Stages that a queue of the family has; what ALL_COMMANDS means there.
  VkQueueFlags flags_of(uint32_t family) const {
    return family < families.size() ? families[family].queueFlags : ~VkQueueFlags{0};
  }
  VkMemoryPropertyFlags memory_properties(uint32_t type) const {
    return type < memory.memoryTypeCount ? memory.memoryTypes[type].propertyFlags : 0;
  }
};

// By the handle of anything dispatchable that belongs to it. Never nullptr for handles that came
// through this layer.
Instance* InstanceOf(const void* dispatchable);

// What a thread looked up last.
struct LastDevice {
  uintptr_t key = 0;  // the first word of the handle
  Device* device = nullptr;
  uint32_t changes = 0;
};
extern __attribute__((tls_model("initial-exec"))) constinit thread_local LastDevice last_device;
// Changes when a device goes: what threads remember is checked against it.
extern std::atomic<uint32_t> device_changes;
Device* FindDevice(const void* dispatchable);

inline Device* DeviceOf(const void* dispatchable) {
  const LastDevice& last = last_device;
  if (last.key == *static_cast<const uintptr_t*>(dispatchable) &&
      last.changes == device_changes.load(std::memory_order_acquire)) [[likely]]
    return last.device;
  return FindDevice(dispatchable);
}
// Of this thread's call, by the type of its first argument.
inline Scope* ScopeOf(VkInstance handle) { return InstanceOf(handle); }
inline Scope* ScopeOf(VkPhysicalDevice handle) { return InstanceOf(handle); }
inline Scope* ScopeOf(VkDevice handle) { return DeviceOf(handle); }
inline Scope* ScopeOf(VkQueue handle) { return DeviceOf(handle); }
inline Scope* ScopeOf(VkCommandBuffer handle) { return DeviceOf(handle); }

// Adds an instance or device with its handle, so that the functions above find it. Thread-safe.
void AddInstance(Instance* instance);
void AddDevice(Device* device);
// Removes it before its handle is destroyed; the caller deletes it. Thread-safe.
void RemoveInstance(Instance* instance);
void RemoveDevice(Device* device);
// Calls `visit` for each device that is alive, when the process ends. Visits none if another thread
// is adding or removing a device: it may have been stopped inside.
void VisitDevicesAtEnd(const std::function<void(Device&)>& visit);

// In the child of a fork: the parent's devices are not its own. Async-signal-safe.
void ForgetDevices();

// The function of the next layer, typed: GPUSAN_VK_NEXT(device, vkGetBufferMemoryRequirements).
#define GPUSAN_VK_NEXT(scope, name) \
  (reinterpret_cast<PFN_##name>((scope)->next[::gpusan::vulkan::kSlot_##name]))

}  // namespace gpusan::vulkan
