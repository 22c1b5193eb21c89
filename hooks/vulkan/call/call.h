// One watched call of Vulkan, as handlers see it.
#pragma once

#include <vulkan/vulkan_core.h>

#include "hooks/common/site_cache.h"
#include "hooks/vulkan/call/scope.h"
#include "tracker/base/call_counter.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::vulkan {

class VkCall;

// The names and clauses of Vulkan in findings. Defined in submission/vocabulary.cc.
const Vocabulary& Words();
// A call of a device returned VK_ERROR_DEVICE_LOST: counts all submitted work as complete (Vulkan
// 1.3 §5.2.3), and reports what was in flight for the first such call of a device. Defined in
// submission/lost_devices.cc.
void OnDeviceLost(VkCall& call);

// The number of intercepted calls.
extern constinit CallCounter intercepted_calls;

class VkCall : public Call {
 public:
  // `scope`: the instance or device it goes to; nullptr for vkCreateInstance.
  VkCall(Tracker& tracker, const CallInfo& info, const void* return_address,
         const void* frame_address, Scope* scope)
      : Call(tracker, info, Words(), return_address, frame_address), scope_(scope) {}
  ~VkCall() {
    if (has_findings() || HasMail()) [[unlikely]]
      Close();
  }

  // Call::site by the shortest way: most calls need it.
  [[gnu::always_inline]] SiteId site() {
    if (!has_site()) SetSite(WarmSite(return_address(), frame_address()));
    return Call::site();
  }

  // For commands of a device.
  Device& device() const { return static_cast<Device&>(*scope_); }
  Instance& instance() const { return static_cast<Instance&>(*scope_); }

  // The end of every call: reports what was found, and explains a failure that nothing else
  // explains.
  void Done(VkResult code) {
    if (code >= VK_SUCCESS && !has_findings()) [[likely]]
      return;
    DoneSlow(code);
  }
  void Done() {
    if (has_findings()) EmitNow();
  }
  // Right before the real call: what may crash it is on disk and with the program's messengers.
  void BeforeReal() {
    if (!may_crash()) [[likely]]
      return;
    Call::BeforeReal();
    if (HasMail()) DeliverMail();
  }
  // What an allocation asked for.
  void Requested(uint64_t bytes) { requested_bytes_ = bytes; }

 private:
  [[gnu::noinline, gnu::cold]] void DoneSlow(VkResult code);
  [[gnu::noinline, gnu::cold]] void Close();
  [[gnu::noinline, gnu::cold]] void DeliverMail();

  Scope* scope_;
  uint64_t requested_bytes_ = 0;
};

// What there is of a call that needs no VkCall.
struct Place {
  const CallInfo& info;
  const void* return_address;
  const void* frame_address;
  Scope* scope;
};

// As a number; non-dispatchable handles are one already, or a pointer.
template <typename Handle>
uintptr_t HandleOf(Handle handle) {
  return reinterpret_cast<uintptr_t>(handle);
}

// The first structure of that type in a pNext chain, nullptr if there is none.
template <typename T>
const T* FindInChain(const void* chain, VkStructureType type) {
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType == type) return reinterpret_cast<const T*>(at);
  }
  return nullptr;
}

}  // namespace gpusan::vulkan
