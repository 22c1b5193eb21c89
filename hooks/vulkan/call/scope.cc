// Instances and devices: their dispatch tables, and how a call finds them.
#include "hooks/vulkan/call/scope.h"

#include "tracker/memory/handle_map.h"

namespace gpusan::vulkan {
namespace {

// Keyed by the first word of a dispatchable handle, which all handles of one instance or device
// share.
HandleMap<Instance> g_instances;
HandleMap<Device> g_devices;
// All live devices. Never destroyed: the list is read when the process ends.
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

}  // namespace

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

void AddInstance(Instance* instance) { g_instances.Insert(KeyOf(instance->handle), instance); }
void RemoveInstance(Instance* instance) { g_instances.Erase(KeyOf(instance->handle), instance); }

void AddDevice(Device* device) {
  g_devices.Insert(KeyOf(device->handle), device);
  std::lock_guard lock(List().lock);
  List().devices.push_back(device);
}

void RemoveDevice(Device* device) {
  g_devices.Erase(KeyOf(device->handle), device);
  {
    std::lock_guard lock(List().lock);
    std::erase(List().devices, device);
  }
  device_changes.fetch_add(1, std::memory_order_acq_rel);
}

void VisitDevicesAtEnd(const std::function<void(Device&)>& visit) {
  std::unique_lock lock(List().lock, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (Device* device : List().devices) visit(*device);
}

}  // namespace gpusan::vulkan
