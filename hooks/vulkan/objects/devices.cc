// Instances and devices come and go; their dispatch tables are filled once, when they are made.
#include "hooks/vulkan/objects/devices.h"

#include <algorithm>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/duplicate_layer.h"
#include "hooks/vulkan/submission/debug_utils.h"
#include "hooks/vulkan/submission/submits.h"
#include "hooks/vulkan/submission/unsignaled_waits.h"
#include "tracker/memory/handle_map.h"

namespace gpusan::vulkan {
namespace {

constexpr const char* kSlotNames[] = {
#define GPUSAN_VK(name, Handler) #name,
#define GPUSAN_VK_NEED(name) #name,
#define GPUSAN_VK_PASS(name, reason)
#include "vulkan_rows.inc"
#undef GPUSAN_VK
#undef GPUSAN_VK_NEED
#undef GPUSAN_VK_PASS
};

// By dispatch key: the first word of every dispatchable handle of one instance or device.
HandleMap<Instance> g_instances;
HandleMap<Device> g_devices;
// All devices that are alive. Never destroyed: it is read when the process ends.
struct DeviceList {
  std::mutex lock;
  std::vector<Device*> devices;
};
constinit std::atomic<DeviceList*> g_list{nullptr};

DeviceList& List() {
  DeviceList* list = g_list.load(std::memory_order_acquire);
  if (list != nullptr) return *list;
  auto* made = new DeviceList;
  if (g_list.compare_exchange_strong(list, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *list;
}
uintptr_t KeyOf(const void* dispatchable) { return *static_cast<const uintptr_t*>(dispatchable); }

bool Enables(const char* const* names, uint32_t count, const char* wanted) {
  for (uint32_t i = 0; i < count; ++i) {
    if (std::string_view(names[i]) == wanted) return true;
  }
  return false;
}

VkResult MakeInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                      VkInstance* handle, Instance** made) {
  VkLayerInstanceCreateInfo* link = InstanceLink(info->pNext);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(get(VK_NULL_HANDLE, "vkCreateInstance"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  Passage passage;
  const PassageScope passing(&passage);
  const VkResult code = create(info, allocator, handle);
  if (code != VK_SUCCESS) return code;
  auto* instance = new Instance;
  instance->below = passage.get_instance;
  instance->handle = *handle;
  instance->instance = instance;
  instance->get_proc_addr = get;
  if (info->pApplicationInfo != nullptr && info->pApplicationInfo->apiVersion != 0)
    instance->api_version = info->pApplicationInfo->apiVersion;
  instance->debug_utils = Enables(info->ppEnabledExtensionNames, info->enabledExtensionCount,
                                  VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  for (int slot = 0; slot < kSlotCount; ++slot) {
    // Asked now: later the loader would answer with the top of the chain.
    instance->next[slot] = reinterpret_cast<void*>(get(*handle, kSlotNames[slot]));
  }
  instance->creation_messengers.AddChain(info->pNext);
  g_instances.Insert(KeyOf(*handle), instance);
  *made = instance;
  return code;
}

void KeepQueue(VkCall& call, VkDevice, uint32_t family, VkQueue handle) {
  if (handle == VK_NULL_HANDLE) return;
  Device& device = call.device();
  std::lock_guard lock(device.queues_lock);
  for (QueueState* known : device.queues) {
    if (known->handle == handle) return;
  }
  auto* state = new QueueState(device, handle, family);
  state->queue =
      call.tracker().NewQueue(call, HandleOf(handle), device.object, true, HandleOf(device.handle));
  state->queue->owned = true;
  state->queue->native = state;
  device.queues.push_back(state);
}

}  // namespace

void AtProcessEnd(Tracker& tracker) {
  static constexpr CallInfo kEnd = {"", Api::kVulkan};
  // A thread that was stopped inside keeps it.
  std::unique_lock lock(List().lock, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (Device* device : List().devices) {
    Call call(tracker, kEnd, Words(), nullptr, nullptr);
    CheckWaitsAtEnd(call, *device);
  }
}

void ForgetDevices() {
  g_list.store(nullptr, std::memory_order_release);
  device_changes.fetch_add(1, std::memory_order_release);
}

Instance* InstanceOf(const void* dispatchable) { return g_instances.Find(KeyOf(dispatchable)); }

constinit thread_local LastDevice last_device;
constinit std::atomic<uint32_t> device_changes{1};

Device* FindDevice(const void* dispatchable) {
  const uintptr_t key = KeyOf(dispatchable);
  const uint32_t changes = device_changes.load(std::memory_order_acquire);
  Device* device = g_devices.Find(key);
  if (device != nullptr) last_device = {key, device, changes};
  return device;
}

QueueState* StateOf(VkCall& call, VkQueue queue) {
  Object* object = FindRecent<ObjectKind::kQueue>(HandleOf(queue));
  if (object == nullptr) [[unlikely]] {
    object = call.tracker().Find(Api::kVulkan, ObjectKind::kQueue, HandleOf(queue));
    if (object == nullptr || !object->live()) return nullptr;
    RecentOf<ObjectKind::kQueue>(HandleOf(queue)) = object;
  }
  return static_cast<QueueState*>(static_cast<Queue*>(object)->native);
}

VkResult CreateInstance::Unwatched(const VkInstanceCreateInfo* info,
                                   const VkAllocationCallbacks* allocator, VkInstance* handle) {
  Instance* instance;
  return MakeInstance(info, allocator, handle, &instance);
}

VkResult CreateInstance::Around(VkCall& call, const VkInstanceCreateInfo* info,
                                const VkAllocationCallbacks* allocator, VkInstance* handle) {
  Instance* instance = nullptr;
  const VkResult code = MakeInstance(info, allocator, handle, &instance);
  if (instance != nullptr) {
    instance->object =
        call.tracker().NewPlain(call, ObjectKind::kInstance, HandleOf(*handle), nullptr);
    instance->object->native = instance;
  }
  call.Done(code);
  Messengers messengers;
  messengers.AddChain(info->pNext);
  Deliver(&messengers);
  return code;
}

void DestroyInstance::Around(VkCall& call, VkInstance handle,
                             const VkAllocationCallbacks* allocator) {
  Instance& instance = call.instance();
  const auto next = GPUSAN_VK_NEXT(&instance, vkDestroyInstance);
  if (handle == VK_NULL_HANDLE) return next(handle, allocator);
  Tracker& tracker = call.tracker();
  if (instance.object != nullptr) {
    if (tracker.options().leaks) tracker.ReportLeaks(call.words(), Api::kVulkan, instance.object);
    tracker.ReleaseAllOf(call, instance.object);
    tracker.Release(call, instance.object, true);
  }
  call.EmitNow();
  Deliver(&instance.messengers, &instance.creation_messengers);
  g_instances.Erase(KeyOf(handle), &instance);
  next(handle, allocator);
  delete &instance;
}

VkResult CreateDevice::Around(VkCall& call, VkPhysicalDevice physical,
                              const VkDeviceCreateInfo* info,
                              const VkAllocationCallbacks* allocator, VkDevice* handle) {
  Instance& instance = call.instance();
  VkLayerDeviceCreateInfo* link = DeviceLink(info->pNext);
  if (link == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  Passage passage;
  passage.get_instance = instance.below;
  const PassageScope passing(&passage);
  const PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(get_instance(instance.handle, "vkCreateDevice"));
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult code = create(physical, info, allocator, handle);
  if (code != VK_SUCCESS) {
    call.Done(code);
    return code;
  }
  auto* device = new Device;
  device->handle = *handle;
  device->physical = physical;
  device->instance = &instance;
  device->get_proc_addr = get;
  device->below = passage.get_device;
  for (int slot = 0; slot < kSlotCount; ++slot)
    device->next[slot] = reinterpret_cast<void*>(get(*handle, kSlotNames[slot]));
  SupplyDebugUtils(*device);
  VkPhysicalDeviceProperties properties;
  GPUSAN_VK_NEXT(&instance, vkGetPhysicalDeviceProperties)(physical, &properties);
  device->limits = properties.limits;
  constexpr uint32_t kUnseenCore = VK_MAKE_API_VERSION(0, 1, 4, 0);
  const bool unseen = std::min(instance.api_version, properties.apiVersion) >= kUnseenCore;
  auto enables = [&](const char* name) {
    return Enables(info->ppEnabledExtensionNames, info->enabledExtensionCount, name);
  };
  device->unseen_maps = unseen || enables("VK_KHR_map_memory2");
  device->unseen_bindings =
      unseen || enables("VK_KHR_maintenance6") || enables("VK_EXT_shader_object");
  device->cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  GPUSAN_VK_NEXT(&instance, vkGetPhysicalDeviceMemoryProperties)(physical, &device->memory);
  uint32_t count = 0;
  const auto families = GPUSAN_VK_NEXT(&instance, vkGetPhysicalDeviceQueueFamilyProperties);
  families(physical, &count, nullptr);
  device->families.resize(count);
  families(physical, &count, device->families.data());
  device->object =
      call.tracker().NewPlain(call, ObjectKind::kContext, HandleOf(*handle), instance.object);
  device->object->native = device;
  g_devices.Insert(KeyOf(*handle), device);
  {
    std::lock_guard lock(List().lock);
    List().devices.push_back(device);
  }
  call.Done(code);
  return code;
}

void DestroyDevice::Around(VkCall& call, VkDevice handle, const VkAllocationCallbacks* allocator) {
  Device& device = call.device();
  const auto next = GPUSAN_VK_NEXT(&device, vkDestroyDevice);
  Tracker& tracker = call.tracker();
  CheckWaitsAtEnd(call, device);
  if (device.object != nullptr) {
    if (tracker.options().leaks) tracker.ReportLeaks(call.words(), Api::kVulkan, device.object);
    tracker.ReleaseAllOf(call, device.object);
    NoteReleasedObject();
    tracker.Release(call, device.object, true);
  }
  call.EmitNow();
  Deliver(&device.instance->messengers);
  g_devices.Erase(KeyOf(handle), &device);
  {
    std::lock_guard lock(List().lock);
    std::erase(List().devices, &device);
  }
  device_changes.fetch_add(1, std::memory_order_acq_rel);
  next(handle, allocator);
  for (QueueState* queue : device.queues) delete queue;
  delete &device;
}

void GetDeviceQueue::After(VkCall& call, VkDevice device, uint32_t family, uint32_t,
                           VkQueue* queue) {
  KeepQueue(call, device, family, *queue);
}

void GetDeviceQueue2::After(VkCall& call, VkDevice device, const VkDeviceQueueInfo2* info,
                            VkQueue* queue) {
  KeepQueue(call, device, info->queueFamilyIndex, *queue);
}

}  // namespace gpusan::vulkan
