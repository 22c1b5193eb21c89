// One intercepted Vulkan call, as its handler sees it. Belongs to the thread that makes the call.
#pragma once

#include <vulkan/vulkan_core.h>

#include <string_view>

#include "hooks/common/handler.h"
#include "hooks/common/sites/site_cache.h"
#include "hooks/vulkan/call/scope.h"
#include "tracker/base/call_counter.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::vulkan {

class VkCall;

// The names and clauses of Vulkan in findings. Defined in submission/vocabulary.cc.
const Vocabulary& Words();
// A call of a device returned VK_ERROR_DEVICE_LOST: counts all submitted work as complete (Vulkan
// 1.3 §5.2.3), and reports the pending work at the first lost call of a device. Defined in
// waits/lost_devices.cc.
void OnDeviceLost(VkCall& call);

// The number of intercepted calls.
extern constinit CallCounter intercepted_calls;

// A call before it has a VkCall, which a fast path does without.
struct FastCall {
  Tracker* tracker;  // nullptr only for commands that are recorded (dispatch/wrapper.h)
  const CallInfo& info;
  const void* return_address;
  const void* frame_address;
  // The instance or device that the call goes to; nullptr for vkCreateInstance.
  Scope* scope;
};

class VkCall : public Call {
 public:
  // Precondition: the call has a tracker.
  explicit VkCall(const FastCall& call)
      : Call(*call.tracker, call.info, Words(), call.return_address, call.frame_address),
        scope_(call.scope) {}
  ~VkCall() {
    if (has_findings() || HasUndelivered()) [[unlikely]]
      Close();
  }

  // The same as Call::site, with the fast path inlined: most calls need their call site.
  [[gnu::always_inline]] SiteId site() {
    if (!has_site()) SetSite(WarmSite(return_address(), frame_address()));
    return Call::site();
  }

  // Precondition: the call goes to a device (device()) or to an instance (instance()).
  Device& device() const { return static_cast<Device&>(*scope_); }
  Instance& instance() const { return static_cast<Instance&>(*scope_); }

  // Ends a call: reports its findings, and reports an error code that no finding explains.
  void Done(VkResult code) {
    if (code >= VK_SUCCESS && !has_findings()) [[likely]]
      return;
    DoneSlow(code);
  }
  void Done() {
    if (has_findings()) EmitNow();
  }
  // For a command that returns an address instead of a VkResult.
  void Done(VkDeviceAddress) { Done(); }
  // Called right before the real call. Reports errors, and delivers them to the program's
  // messengers: a driver need not check for them, and may crash (Vulkan 1.3 §3.7).
  void BeforeReal() {
    if (has_findings()) [[unlikely]]
      BeforeRealSlow();
  }
  // The size that an allocation requests, in bytes.
  void Requested(uint64_t bytes) { requested_bytes_ = bytes; }

 private:
  [[gnu::noinline, gnu::cold]] void BeforeRealSlow();
  [[gnu::noinline, gnu::cold]] void DoneSlow(VkResult code);
  [[gnu::noinline, gnu::cold]] void Close();
  [[gnu::noinline, gnu::cold]] void DeliverFindings();

  Scope* scope_;
  uint64_t requested_bytes_ = 0;
};

// The handle as a number. Non-dispatchable handles are numbers or pointers, by platform.
template <typename Handle>
uintptr_t HandleOf(Handle handle) {
  return reinterpret_cast<uintptr_t>(handle);
}

// The live object that a required handle names; nullptr for a null, unknown or unusable handle. The
// finding about a null or unusable handle is added.
[[gnu::noinline, gnu::cold]] void ReportNullHandle(VkCall& call, ObjectKind kind,
                                                   const char* argument);
inline Object* UseHandle(VkCall& call, ObjectKind kind, uintptr_t handle, const char* argument) {
  if (handle == 0) [[unlikely]] {
    ReportNullHandle(call, kind, argument);
    return nullptr;
  }
  return call.tracker().objects().Use(call, kind, handle, argument);
}

// The first structure of the type in a pNext chain; nullptr if the chain has none.
template <typename T>
const T* FindInChain(const void* chain, VkStructureType type) {
  for (const auto* at = static_cast<const VkBaseInStructure*>(chain); at != nullptr;
       at = at->pNext) {
    if (at->sType == type) return reinterpret_cast<const T*>(at);
  }
  return nullptr;
}

// Whether the call is the second version of its function, such as vkCmdPipelineBarrier2: that of
// synchronization2, VK_KHR_create_renderpass2 or VK_KHR_copy_commands2.
inline bool IsSecond(const VkCall& call) {
  return std::string_view(call.info().name).find('2') != std::string_view::npos;
}

// The types of the members of a handler (HandlerTypes).
//
//   BeforeOf<PFN_vkCmdDispatch> Before;  // void Before(VkCall& call, VkCommandBuffer commands,
//   ...)
template <typename Function>
using BeforeOf = typename HandlerTypes<VkCall, Function>::Before;
template <typename Function>
using AfterOf = typename HandlerTypes<VkCall, Function>::After;

}  // namespace gpusan::vulkan
