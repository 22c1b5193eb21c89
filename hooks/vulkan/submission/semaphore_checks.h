// Checks of semaphores when their signals and waits are submitted.
#pragma once

#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {

// The fault of the value that a signal gives to a timeline semaphore.
struct ValueFault {
  bool found = false;
  rules::SyncStateUse::Fault fault = rules::SyncStateUse::Fault::kBelowEarlierSignal;
  uint64_t other = 0;  // the value of the other signal
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};
// Compares a new signal with those before it. `by_host`: vkSignalSemaphore. Precondition: the
// semaphore is locked.
ValueFault CheckValue(const SemaphoreState& semaphore, const SignalList::Signal& signal,
                      bool by_host, const HostClock& host);
// Compares a value that the host signals with the signals of parked batches. Precondition: no queue
// is locked.
ValueFault CheckParkedValues(Device& device, const SemaphoreState& semaphore, uint64_t value);
void ReportValue(VkCall& call, const Batch::Semaphore& semaphore, const ValueFault& fault);

// Reports waits for binary semaphores whose signals are in parked batches: the signals depend on a
// timeline value that no submitted work signals.
void CheckDependsOnParked(VkCall& call, const Batch& batch, rules::SyncStateUse::Fault fault);

// Checks the stages at which a submission waits for a semaphore, or after which it signals it.
// `queue`: of the submission. `waits`: whether it waits.
void CheckSemaphoreStages(VkCall& call, const QueueState& queue, const Object& semaphore,
                          uint64_t stages, bool waits);
// Reports a value of a timeline semaphore that is too far above all submitted signals. `vuid`: the
// valid usage that it breaks. No semaphore is locked.
[[gnu::noinline, gnu::cold]] void CheckFarValue(VkCall& call, const Batch::Semaphore& semaphore,
                                                const char* vuid);
inline void CheckDifference(VkCall& call, const Batch::Semaphore& semaphore, const char* vuid) {
  // No value is below 0.
  if (semaphore.value > call.device().timeline_difference) [[unlikely]]
    CheckFarValue(call, semaphore, vuid);
}
// Reports signals of timeline semaphores that do not exceed the values for which the batch waits.
void CheckOwnWaits(VkCall& call, const Batch& batch);
// Reports signals of timeline semaphores for which an earlier batch of the queue waits: the two
// block each other. `batch` is not parked yet. Precondition: the queue is locked.
void CheckBehindWaits(VkCall& call, QueueState& queue, const Batch& batch);

// Reports an acquisition that cannot signal its semaphore or fence.
void CheckAcquisition(VkCall& call, VkSwapchainKHR swapchain, VkSemaphore semaphore, VkFence fence);

}  // namespace gpusan::vulkan
