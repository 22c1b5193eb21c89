// Checks of semaphores when their signals and waits are submitted.
#include "hooks/vulkan/submission/semaphore_checks.h"

#include <algorithm>
#include <mutex>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/submission/submits.h"
#include "hooks/vulkan/words/stage_features.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

// Whether the signal has happened, as far as the host knows.
bool Happened(const SignalList::Signal& signal, const HostClock& host) {
  if (signal.point.gates != 0) return false;
  for (Epoch epoch : signal.point.clock.epochs()) {
    if (!host.Completed(epoch)) return false;
  }
  return true;
}

// Whether the signal surely happens before the point.
bool IsBefore(const SignalList::Signal& signal, const Snapshot& point, const HostClock& host) {
  if (signal.point.gates != 0) return false;
  for (Epoch epoch : signal.point.clock.epochs()) {
    if (!point.clock.Covers(epoch) && !host.Completed(epoch)) return false;
  }
  return true;
}

}  // namespace

ValueFault CheckValue(const SemaphoreState& semaphore, const SignalList::Signal& signal,
                      bool by_host, const HostClock& host) {
  ValueFault fault;
  const auto found = [&](const SignalList::Signal& known, Fault what) {
    fault = {true, what, known.value, known.call, known.site};
  };
  // By falling value: a signal of the device concerns the greater ones only.
  const std::vector<SignalList::Signal>& signals = semaphore.signals.signals();
  for (auto at = signals.rbegin(); at != signals.rend(); ++at) {
    const SignalList::Signal& known = *at;
    if (!by_host) {
      if (known.value <= signal.value) break;
      if (IsBefore(known, signal.point, host)) found(known, Fault::kBelowEarlierSignal);
    } else if (Happened(known, host)) {
      if (known.value >= signal.value) found(known, Fault::kHostBelowCurrent);
    } else if (known.value <= signal.value && known.merged == 1) {
      found(known, Fault::kHostPastPending);
    }
    if (fault.found) break;
  }
  if (!fault.found && by_host && signal.value <= semaphore.signals.reached()) {
    fault.found = true;
    fault.fault = Fault::kHostBelowCurrent;
    fault.other = semaphore.signals.reached();
  }
  return fault;
}

ValueFault CheckParkedValues(Device& device, const SemaphoreState& semaphore, uint64_t value) {
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(device.queues_lock);
    queues = device.queues;
  }
  ValueFault fault;
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    for (const auto& batch : queue->parked) {
      for (const Batch::Semaphore& signal : batch->signals) {
        if (signal.state == &semaphore && signal.value <= value)
          fault = {true, Fault::kHostPastPending, signal.value, batch->call, batch->site};
      }
    }
  }
  return fault;
}

void ReportValue(VkCall& call, const Batch::Semaphore& semaphore, const ValueFault& fault) {
  ReportSync(call, *semaphore.object, fault.fault, absl::StrCat(semaphore.value),
             absl::StrCat(fault.other), {fault.call, fault.site});
}

void CheckDependsOnParked(VkCall& call, const Batch& batch, Fault fault) {
  for (const Batch::Semaphore& wait : batch.waits) {
    {
      std::lock_guard lock(wait.state->lock);
      if (wait.state->timeline || wait.state->foreign || wait.state->signals.pending() ||
          wait.state->parked_signals == 0)
        continue;
    }
    ReportSync(call, *wait.object, fault);
  }
}

void CheckSemaphoreStages(VkCall& call, const QueueState& queue, const Object& semaphore,
                          uint64_t stages, bool waits) {
  const bool second = std::string_view(call.info().name).starts_with("vkQueueSubmit2");
  if (waits && !second && (stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0) [[unlikely]]
    ReportSync(call, semaphore, Fault::kSemaphoreHostStage);
  const uint64_t absent = stages & call.device().features.lacking_stages;
  if (const StageFeature* feature = FindStageFeature(absent); feature != nullptr) [[unlikely]] {
    ReportSync(call, semaphore, Fault::kStageFeatureOf,
               call.words().Stages(absent & feature->stages),
               second ? absl::StrCat("VkSemaphoreSubmitInfo-stageMask-", feature->vuid2)
                      : absl::StrCat("VkSubmitInfo-pWaitDstStageMask-", feature->vuid));
  }
  const uint64_t lacking = UnsupportedStages(stages, call.device().flags_of(queue.family));
  if (lacking == 0) [[likely]]
    return;
  ReportSync(call, semaphore, Fault::kSemaphoreStages, call.words().Stages(lacking),
             !second ? "vkQueueSubmit-pWaitDstStageMask-00066"
             : waits ? "vkQueueSubmit2-stageMask-03870"
                     : "vkQueueSubmit2-stageMask-03869");
}

void CheckFarValue(VkCall& call, const Batch::Semaphore& semaphore, const char* vuid) {
  {
    std::lock_guard lock(semaphore.state->lock);
    if (!semaphore.state->timeline || semaphore.state->foreign ||
        semaphore.state->shared.load(std::memory_order_relaxed))
      return;
    const SignalList& list = semaphore.state->signals;
    // The signals are sorted by value.
    const uint64_t most = list.signals().empty()
                              ? list.reached()
                              : std::max(list.reached(), list.signals().back().value);
    if (semaphore.value <= most || semaphore.value - most <= call.device().timeline_difference)
      return;
  }
  ReportSync(call, *semaphore.object, Fault::kTimelineDifference, absl::StrCat(semaphore.value),
             vuid);
}

void CheckOwnWaits(VkCall& call, const Batch& batch) {
  for (const Batch::Semaphore& signal : batch.signals) {
    for (const Batch::Semaphore& wait : batch.waits) {
      if (wait.state != signal.state || !wait.state->timeline || signal.value > wait.value)
          [[likely]]
        continue;
      ReportSync(call, *signal.object, Fault::kSignalsOwnWait, absl::StrCat(signal.value),
                 absl::StrCat(wait.value));
    }
  }
}

void CheckBehindWaits(VkCall& call, QueueState& queue, const Batch& batch) {
  // Commands of other stages do not wait.
  constexpr uint64_t kAllKinds = VK_PIPELINE_STAGE_2_COPY_BIT |
                                 VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                 VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
  for (const auto& parked : queue.parked) {
    if (parked->commands.empty()) continue;
    for (Batch::Semaphore& wait : parked->waits) {
      if (wait.reported || (wait.stages & kAllKinds) != kAllKinds || !wait.state->timeline)
        continue;
      for (const Batch::Semaphore& signal : batch.signals) {
        if (signal.state != wait.state || signal.generation != wait.generation ||
            signal.value > wait.value)
          continue;
        {
          std::lock_guard lock(wait.state->lock);
          std::vector<Snapshot> points;
          if (wait.state->foreign || wait.state->signals.PointsOf(wait.value, &points)) continue;
        }
        ReportSync(call, *signal.object, Fault::kSignalsBehindWait, absl::StrCat(signal.value),
                   absl::StrCat(wait.value), {parked->call, parked->site});
        wait.reported = true;
      }
    }
  }
}

void CheckAcquisition(VkCall& call, VkSwapchainKHR swapchain, VkSemaphore semaphore_handle,
                      VkFence fence) {
  if (semaphore_handle == VK_NULL_HANDLE && fence == VK_NULL_HANDLE) [[unlikely]]
    return ReportSync(call, ObjectKind::kSwapchain, HandleOf(swapchain), Fault::kAcquiresNothing);
  if (semaphore_handle != VK_NULL_HANDLE) {
    auto* semaphore =
        FindPart<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(semaphore_handle));
    Fault fault = Fault::kAcquiresTimeline;
    EarlierCall signal;
    bool found = false;
    if (semaphore != nullptr) {
      std::lock_guard lock(semaphore->lock);
      found = semaphore->timeline || (!semaphore->foreign && semaphore->signals.pending());
      if (found && !semaphore->timeline) {
        fault = Fault::kAcquireSignaled;
        signal = {semaphore->signals.Peek().call, semaphore->signals.Peek().site};
      }
    }
    if (!found && semaphore != nullptr && !semaphore->foreign) {
      const HostClock& host = call.tracker().ordering().host();
      if (semaphore->used.MayBePending(host)) {
        std::lock_guard lock(semaphore->held_lock);
        found = semaphore->used.Pending(host);
        fault = Fault::kAcquireInUse;
        signal = {semaphore->used.call, semaphore->used.site};
      }
    }
    if (found) ReportSync(call, ObjectKind::kSemaphore, HandleOf(semaphore_handle), fault, signal);
  }
  if (fence == VK_NULL_HANDLE) return;
  if (auto* state = FindPart<FenceState>(call, ObjectKind::kFence, HandleOf(fence)))
    CheckFence(call, *state, fence, Fault::kAcquireFenceSignaled, Fault::kAcquireFenceInUse);
}

}  // namespace gpusan::vulkan
