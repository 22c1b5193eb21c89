// Fences, semaphores and events: the order that they carry.
#pragma once

#include <string>

#include "hooks/vulkan/objects/lone_uses.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"
#include "tracker/order/semaphore.h"
#include "tracker/rules/states/sync_state.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan::vulkan {

class QueueState;

struct FenceState final : Pooled<FenceState> {
  SpinLock lock;
  Snapshot point;          // the work that signals it
  bool signaled = false;   // the host has observed the signal
  bool submitted = false;  // and the host has not observed the signal
  bool foreign = false;    // also signaled or observed outside of gpusan's view
  bool presents = false;   // signaled by a presentation engine instead of a queue
  // Its payload was imported with temporary permanence: a reset restores its own payload, which is
  // foreign if `own_foreign` is true.
  bool temporary = false, own_foreign = false;
  // A call that may make a queue or a presentation engine signal it was given it since its last
  // reset.
  std::atomic<bool> given{false};
  VkExternalFenceHandleTypeFlags exports = 0;  // types of handles that it may be exported as
  // The last reset; nullptr: none.
  const CallInfo* reset_call = nullptr;
  SiteId reset_site = kUnknownSite;
  const CallInfo* submit_call = nullptr;
  SiteId submit_site = kUnknownSite;
  LastUser user;
  // Whether a queue will signal it, as far as the host has observed. Precondition: it is locked.
  bool Pending(const HostClock& host) const;
  void Reset();
};
// An earlier call that a fault depends on. `call` of nullptr: none.
struct EarlierCall {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};
// Adds a finding about the object. `value` and `other`: as the text of the fault needs them.
[[gnu::cold]] void ReportSync(Call& call, const Object& object, rules::SyncStateUse::Fault fault,
                              std::string value = "", std::string other = "",
                              EarlierCall earlier = {});
// The same for the object with the handle; does nothing if there is none.
[[gnu::cold]] void ReportSync(VkCall& call, ObjectKind kind, uintptr_t handle,
                              rules::SyncStateUse::Fault fault, EarlierCall earlier = {},
                              std::string other = "");

struct SemaphoreState final : Pooled<SemaphoreState, HeldState>, SharedSemaphore {
  // For a binary semaphore: number of signals in parked batches.
  uint32_t parked_signals = 0;
  // Binary: the payload was imported with temporary permanence. The next wait restores the
  // semaphore's own payload, which is unsignaled.
  bool temporary = false;
  Device* device = nullptr;                        // of an exported semaphore
  VkExternalSemaphoreHandleTypeFlags exports = 0;  // types of handles that it may be exported as

  void Reset();
};

// The dependency that a command defines which sets an event or waits for it.
struct EventDependency {
  uint64_t stages = 0;   // VkPipelineStageFlags2 of the first scope, as given
  uint64_t content = 0;  // hash of the VkDependencyInfo; 0 for commands of synchronization1
  // The command belongs to synchronization2.
  bool second = false;
  bool asymmetric = false;  // VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR
};

// The signal of an event at one point of a queue, with the known facts about it. Value type.
struct EventSignal {
  enum class By : uint8_t {
    kUnknown,  // whether it is set is unknown
    kNobody,   // it is not set
    kHost,
    kCommand,
  };
  By by = By::kUnknown;
  EventDependency dependency;      // kCommand
  const CallInfo* call = nullptr;  // set it
  SiteId site = kUnknownSite;
  // Position in its queue of the reset since which the signal is known; 0: since another time.
  Position known_since = 0;
  // The last wait for it since its last reset; nullptr: none.
  const CallInfo* waiter = nullptr;
  SiteId waiter_site = kUnknownSite;
  uint64_t ordered = 0;  // stages that are ordered after that wait, expanded
};

struct EventState final : Pooled<EventState, HeldState> {
  SpinLock lock;
  bool device_only = false;
  EventSignal signal;
  // The last submitted command that sets, resets or waits for it.
  const QueueState* used_on = nullptr;
  Epoch used_epoch;
  // The last submitted wait.
  Position waited_at = 0;
  Epoch waited_epoch;
  // The queue that set it last; nullptr: not set, or set by the host.
  const QueueState* queue = nullptr;
  const CallInfo* setter = nullptr;
  SiteId setter_site = kUnknownSite;
  Position position = 0;
  Epoch epoch;  // of the batch that set it
  void Reset() {
    queue = nullptr;
    device_only = false;
    signal = EventSignal();
    used_on = nullptr;
    used_epoch = waited_epoch = Epoch();
    waited_at = 0;
    used.Clear();
  }
  // The host sets or resets it. Precondition: it is locked.
  void ByHost(EventSignal::By by, const HostClock& host);
};

FenceState* FenceOf(VkCall& call, VkFence fence, const char* argument);
SemaphoreState* SemaphoreOf(VkCall& call, VkSemaphore semaphore, const char* argument);
inline void UseFenceAlone(VkCall& call, UsesOfCall& uses, VkFence fence) {
  UseObjectAlone<FenceState>(call, uses, ObjectKind::kFence, HandleOf(fence));
}
// The same for a call that may make a queue or a presentation engine signal the fence.
void GiveFence(VkCall& call, UsesOfCall& uses, VkFence fence);

struct CreateFence {
  AfterOf<PFN_vkCreateFence> After;
};
// A fence that a display signals.
struct RegisterEvent {
  template <typename Info>
  void After(VkCall& call, VkResult code, VkDevice, const Info*, const VkAllocationCallbacks*,
             VkFence* fence) {
    Keep(call, code, fence);
  }
  template <typename Info>
  void After(VkCall& call, VkResult code, VkDevice, VkDisplayKHR, const Info*,
             const VkAllocationCallbacks*, VkFence* fence) {
    Keep(call, code, fence);
  }
  static void Keep(VkCall& call, VkResult code, const VkFence* fence);
};
struct DestroyFence {
  BeforeOf<PFN_vkDestroyFence> Before;
};
struct ResetFences {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, uint32_t count,
                       const VkFence* fences) {
    for (uint32_t i = 0; i < count; ++i) UseFenceAlone(call, uses, fences[i]);
  }
  BeforeOf<PFN_vkResetFences> Before;
};
struct CreateSemaphore {
  AfterOf<PFN_vkCreateSemaphore> After;
};
using DestroySemaphore = DestroyHeld<ObjectKind::kSemaphore, VkSemaphore>;
struct ImportSemaphoreFd {
  BeforeOf<PFN_vkImportSemaphoreFdKHR> Before;
  AfterOf<PFN_vkImportSemaphoreFdKHR> After;
};
struct ImportFenceFd {
  BeforeOf<PFN_vkImportFenceFdKHR> Before;
  AfterOf<PFN_vkImportFenceFdKHR> After;
};
// The event that a call of the host uses. Adds `fault` for an event that only commands may use.
EventState* UseEventOnHost(VkCall& call, VkEvent event, rules::SyncStateUse::Fault fault);
struct CreateEvent {
  AfterOf<PFN_vkCreateEvent> After;
};
using DestroyEvent = DestroyHeld<ObjectKind::kUserEvent, VkEvent>;
struct SetEvent {
  BeforeOf<PFN_vkSetEvent> Before;
};
struct ResetEvent {
  BeforeOf<PFN_vkResetEvent> Before;
};

}  // namespace gpusan::vulkan
