// The layer's two GetProcAddr functions, and how calls reach the tracker.
#include "hooks/vulkan/dispatch/layer_entry.h"

#include <atomic>
#include <string_view>
#include <unordered_map>

#include "hooks/vulkan/call/duplicate_layer.h"
#include "hooks/vulkan/call/labels.h"
#include "hooks/vulkan/call/names.h"
#include "hooks/vulkan/dispatch/program_settings.h"
#include "hooks/vulkan/dispatch/wrapper.h"
#include "hooks/vulkan/objects/devices.h"
#include "hooks/vulkan/objects/supplied_commands.h"

namespace gpusan::vulkan {
namespace {

Hooks g_hooks;

using Names = std::unordered_map<std::string_view, const Entry*>;

const Entry* EntryOf(const char* name) {
  static const Names* const names = [] {
    auto* made = new Names;
    for (const Entry* const* table = kEntryTables; *table != nullptr; ++table) {
      for (const Entry* entry = *table; entry->name != nullptr; ++entry)
        made->emplace(entry->name, entry);
    }
    return made;
  }();
  const auto found = names->find(name);
  return found != names->end() ? found->second : nullptr;
}

// vkCreateInstance has a wrapper of its own: there is no instance yet whose table could be used.
VKAPI_ATTR VkResult VKAPI_CALL EnterCreateInstance(const VkInstanceCreateInfo* info,
                                                   const VkAllocationCallbacks* allocator,
                                                   VkInstance* instance) {
  static constexpr CallInfo kInfo = {"vkCreateInstance", Api::kVulkan};
  if (DuplicateLayerScope::Current() != nullptr)
    return PassCreateInstance(info, allocator, instance);
  ReentryGuard guard;
  if (g_hooks.settings != nullptr && info != nullptr) g_hooks.settings(SettingsIn(info->pNext));
  Tracker* tracker = Admit();
  if (tracker == nullptr) return CreateInstance::Unwatched(info, allocator, instance);
  VkCall call(
      FastCall{tracker, kInfo, __builtin_return_address(0), __builtin_frame_address(0), nullptr});
  return CreateInstance::Around(call, info, allocator, instance);
}

PFN_vkVoidFunction OwnFunction(std::string_view name) {
  if (name == "vkGetInstanceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&GetInstanceProcAddr);
  if (name == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&GetDeviceProcAddr);
  if (name == "vkCreateInstance") return reinterpret_cast<PFN_vkVoidFunction>(&EnterCreateInstance);
  return nullptr;
}

}  // namespace

void SetHooks(const Hooks& hooks) {
  g_hooks = hooks;
  ForgetTracker();
}

void ForgetTracker() {
  attached_tracker.store(nullptr, std::memory_order_release);
  ForgetDevices();
  ForgetLabels();
  ForgetNames();
}

constinit std::atomic<Tracker*> attached_tracker{nullptr};

[[gnu::noinline, gnu::cold]] Tracker* AttachTracker() {
  if (g_hooks.tracker == nullptr && gpusan_attach_vulkan != nullptr) gpusan_attach_vulkan();
  if (g_hooks.tracker == nullptr) return nullptr;
  Tracker* tracker = g_hooks.tracker();
  attached_tracker.store(tracker, std::memory_order_release);
  return tracker;
}

uint64_t CallsSeen() { return intercepted_calls.total(); }

namespace {

// The instance or device in whose next layer the thread looks a function up. A layer that does not
// know the name forwards the look-up, which reaches the second gpusan layer in the chain.
constinit thread_local const void* looked_up_in = nullptr;

class LookUpScope {
 public:
  explicit LookUpScope(const void* of) : before_(looked_up_in) { looked_up_in = of; }
  ~LookUpScope() { looked_up_in = before_; }
  LookUpScope(const LookUpScope&) = delete;
  LookUpScope& operator=(const LookUpScope&) = delete;

 private:
  const void* const before_;
};

}  // namespace

PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char* name) {
  if (name == nullptr) return nullptr;
  if (PFN_vkVoidFunction own = OwnFunction(name); own != nullptr) return own;
  // Some layers, such as MangoHud and vkBasalt, look this function up without an instance.
  if (instance == VK_NULL_HANDLE && std::string_view(name) != "vkCreateDevice") return nullptr;
  if (PFN_vkVoidFunction passed = PassOn(instance, name); passed != nullptr) return passed;
  if (instance == VK_NULL_HANDLE) return EntryOf(name)->wrapper;
  const Instance* known = InstanceOf(instance);
  if (known == nullptr) return nullptr;
  if (looked_up_in == known)
    return known->below != nullptr ? known->below(instance, name) : nullptr;
  LookUpScope scope(known);
  // The program must not get functions that the next layer lacks.
  PFN_vkVoidFunction next = known->get_proc_addr(instance, name);
  if (next == nullptr) return nullptr;
  const Entry* entry = EntryOf(name);
  return entry != nullptr ? entry->wrapper : next;
}

PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice device, const char* name) {
  if (device == VK_NULL_HANDLE || name == nullptr) return nullptr;
  if (std::string_view(name) == "vkGetDeviceProcAddr")
    return reinterpret_cast<PFN_vkVoidFunction>(&GetDeviceProcAddr);
  if (PFN_vkVoidFunction passed = PassOn(device, name); passed != nullptr) return passed;
  const Device* known = DeviceOf(device);
  if (known == nullptr) return nullptr;
  if (looked_up_in == known) return known->below != nullptr ? known->below(device, name) : nullptr;
  LookUpScope scope(known);
  PFN_vkVoidFunction next = known->get_proc_addr(device, name);
  if (next == nullptr && !SuppliesDebugUtils(*known, name)) return nullptr;
  const Entry* entry = EntryOf(name);
  return entry != nullptr ? entry->wrapper : next;
}

}  // namespace gpusan::vulkan
