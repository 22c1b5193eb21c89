// Instances and devices: their dispatch tables, and how a call finds them.
#pragma once

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "hooks/common/concurrent_uses.h"
#include "hooks/vulkan/call/device_addresses.h"
#include "hooks/vulkan/call/dispatch_slots.h"
#include "hooks/vulkan/call/features.h"
#include "hooks/vulkan/call/known_images.h"
#include "hooks/vulkan/call/messengers.h"
#include "tracker/objects/object.h"

namespace gpusan::vulkan {

class QueueState;

// The common part of Instance and Device: the functions of the next layer.
struct Scope {
  // Function of the next layer by slot; nullptr if the next layer lacks the command.
  void* next[kSlotCount] = {};
  // The tracker's object; nullptr while the instance or device is being created.
  PlainObject* object = nullptr;
  struct Instance* instance = nullptr;  // this instance, or the device's instance
};

struct Instance : Scope {
  VkInstance handle = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get_proc_addr = nullptr;
  // The next layer's function below the second gpusan layer in the chain (duplicate_layer.h).
  PFN_vkGetInstanceProcAddr below = nullptr;
  uint32_t api_version = VK_API_VERSION_1_0;
  bool debug_utils = false;
  bool properties2 = false;  // VK_KHR_get_physical_device_properties2 is enabled
  // The program's messengers, which also receive gpusan's findings.
  Messengers messengers;
  // Messengers in the pNext chain of vkCreateInstance: they receive findings of its creation and
  // destruction only.
  Messengers creation_messengers;
};

struct Device : Scope {
  VkDevice handle = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr get_proc_addr = nullptr;
  PFN_vkGetDeviceProcAddr below = nullptr;  // below the second gpusan layer in the chain
  VkPhysicalDeviceMemoryProperties memory = {};
  VkPhysicalDeviceLimits limits = {};
  // maxTimelineSemaphoreValueDifference; all bits: unknown.
  uint64_t timeline_difference = ~uint64_t{0};
  uint32_t feedback_streams = 0;  // maxTransformFeedbackStreams; 0: unknown
  // maxBufferSize [bytes]; all bits: unknown.
  uint64_t largest_buffer = ~uint64_t{0};
  // minImportedHostPointerAlignment [bytes]; 0: unknown.
  uint64_t host_pointer_alignment = 0;
  KnownImages known_images;
  Features features;
  // Limits of the buffers that descriptors refer to.
  struct BufferLimits {
    uint64_t alignment = 1;        // of offsets [bytes], a power of two
    uint64_t most = ~uint64_t{0};  // the longest range [bytes]
  };
  BufferLimits uniform, storage;
  // VK_KHR_maintenance9: the layers in a barrier of a 3D image stand for slices.
  bool slice_barriers = false;
  // Barriers may be recorded inside dynamic rendering.
  bool barriers_in_rendering = false;
  // Depth and stencil of an image may have different layouts.
  bool separate_depth_stencil = false;
  // A render pass names layouts of stencil, which gpusan does not apply.
  std::atomic<bool> stencil_layouts_in_passes = false;
  // VK_QCOM_tile_shading: dispatches may be recorded inside render passes.
  bool dispatches_in_passes = false;
  // An extension allows attachments whose sample count differs from that of the pipeline.
  bool mixes_samples = false;
  // dynamicRenderingUnusedAttachments: a pipeline's format or the attachment may be missing.
  bool unused_attachments = false;
  // maintenance6 may be enabled: indexed draws need no index buffer.
  bool draws_without_indices = false;
  bool byte_indices = false;    // indexTypeUint8, or it may be
  bool robust_indices = false;  // robustBufferAccess2 may be enabled
  // robustBufferAccess, or robustness by pipelines, may be enabled.
  bool robust_vertices = false;
  // VK_NV_command_buffer_inheritance: a command buffer inherits the bindings of earlier ones.
  bool inherits_bindings = false;
  bool aliases_dedicated_images = false;  // VK_NV_dedicated_allocation_image_aliasing
  bool cpu = false;                       // the driver accesses the memory of mappings itself
  std::vector<VkQueueFamilyProperties> families;
  std::mutex queues_lock;
  std::vector<QueueState*> queues;  // owned; the queues that the program retrieved
  LastUser all_queues_user;         // the last call that used all queues
  // The number of parked batches in all queues. Changes under the lock of the batch's queue.
  std::atomic<uint32_t> parked{0};
  std::atomic<bool> lost{false};      // a call returned VK_ERROR_DEVICE_LOST
  std::atomic<bool> presents{false};  // an image of a swapchain was acquired
  // An image of the program's own was bound to the memory of a swapchain's image.
  std::atomic<bool> binds_swapchain_images{false};
  DeviceAddresses addresses;

  // Capabilities of the queue family, which define the stages that ALL_COMMANDS means there. All
  // bits for an unknown family.
  VkQueueFlags flags_of(uint32_t family) const {
    return family < families.size() ? families[family].queueFlags : ~VkQueueFlags{0};
  }
  VkMemoryPropertyFlags memory_properties(uint32_t type) const {
    return type < memory.memoryTypeCount ? memory.memoryTypes[type].propertyFlags : 0;
  }
};

// The instance that owns a dispatchable handle. Never nullptr for handles that were created through
// this layer. Thread-safe, without a lock.
Instance* InstanceOf(const void* dispatchable);

// The last look-up of a thread.
struct LastDevice {
  uintptr_t key = 0;  // the first word of the handle
  Device* device = nullptr;
  uint32_t changes = 0;
};
extern __attribute__((tls_model("initial-exec"))) constinit thread_local LastDevice last_device;
// Incremented when a device is removed. A cached look-up is valid while the count is unchanged.
extern std::atomic<uint32_t> device_changes;
// The slow path of DeviceOf: looks the device up and caches it for this thread.
Device* FindDevice(const void* dispatchable);

// The device that owns a dispatchable handle. Thread-safe, without a lock.
inline Device* DeviceOf(const void* dispatchable) {
  const LastDevice& last = last_device;
  if (last.key == *static_cast<const uintptr_t*>(dispatchable) &&
      last.changes == device_changes.load(std::memory_order_acquire)) [[likely]]
    return last.device;
  return FindDevice(dispatchable);
}
// The scope of a call, by the type of its first argument.
inline Scope* ScopeOf(VkInstance handle) { return InstanceOf(handle); }
inline Scope* ScopeOf(VkPhysicalDevice handle) { return InstanceOf(handle); }
inline Scope* ScopeOf(VkDevice handle) { return DeviceOf(handle); }
inline Scope* ScopeOf(VkQueue handle) { return DeviceOf(handle); }
inline Scope* ScopeOf(VkCommandBuffer handle) { return DeviceOf(handle); }

// Adds an instance or device with its handle, so that the functions above find it. Thread-safe.
void AddInstance(Instance* instance);
void AddDevice(Device* device);
// Call it before the handle is destroyed. The caller deletes the object afterwards. Thread-safe.
void RemoveInstance(Instance* instance);
void RemoveDevice(Device* device);
// Call it at the end of the process: calls `visit` for each live device. Visits no device if the
// list is locked: the thread that added or removed a device may have been stopped.
void VisitDevicesAtEnd(const std::function<void(Device&)>& visit);

// Forgets all devices, in the child of a fork. Async-signal-safe.
void ForgetDevices();

// The typed function of the next layer: GPUSAN_VK_NEXT(device, vkGetBufferMemoryRequirements).
#define GPUSAN_VK_NEXT(scope, name) \
  (reinterpret_cast<PFN_##name>((scope)->next[::gpusan::vulkan::kSlot_##name]))

}  // namespace gpusan::vulkan
