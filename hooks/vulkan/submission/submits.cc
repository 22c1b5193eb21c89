// Submissions: recordings are put into the order of their queue and checked there.
#include "hooks/vulkan/submission/submits.h"

#include <mutex>
#include <optional>

#include "hooks/vulkan/mapped/map_guards.h"
#include "hooks/vulkan/memory/sparse_binds.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/recording/barrier_checks.h"
#include "hooks/vulkan/submission/batch_semaphores.h"
#include "hooks/vulkan/submission/failed_submits.h"
#include "hooks/vulkan/submission/present_semaphores.h"
#include "hooks/vulkan/submission/rendering_checks.h"
#include "hooks/vulkan/submission/secondary_submits.h"
#include "hooks/vulkan/submission/semaphore_checks.h"
#include "hooks/vulkan/words/sync_masks.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

// The valid usage that a fault of a semaphore breaks.
const char* VuidOf(SyncMisuse::Fault fault, std::string_view function) {
  using Fault = SyncMisuse::Fault;
  const bool second = function.starts_with("vkQueueSubmit2");
  const bool sparse = function == "vkQueueBindSparse";
  switch (fault) {
    case Fault::kNothingToWaitFor:
      return function == "vkQueuePresentKHR" ? "VUID-vkQueuePresentKHR-pWaitSemaphores-03268"
             : sparse                        ? "VUID-vkQueueBindSparse-pWaitSemaphores-03245"
             : second                        ? "VUID-vkQueueSubmit2-semaphore-03873"
                                             : "VUID-vkQueueSubmit-pWaitSemaphores-03238";
    case Fault::kSignaledTwice:
      return sparse   ? "VUID-vkQueueBindSparse-pSignalSemaphores-01115"
             : second ? "VUID-vkQueueSubmit2-semaphore-03868"
                      : "VUID-vkQueueSubmit-pSignalSemaphores-00067";
    default:
      return sparse   ? "VUID-VkBindSparseInfo-pSignalSemaphores-03249"
             : second ? "VUID-VkSubmitInfo2-semaphore-03882"
                      : "VUID-VkSubmitInfo-pSignalSemaphores-03242";
  }
}

void ReportMisuse(VkCall& call, const Batch::Semaphore& semaphore, SyncMisuse::Fault fault,
                  const SignalList::Signal* earlier) {
  SyncMisuse misuse;
  misuse.fault = fault;
  misuse.vuid = VuidOf(fault, call.info().name);
  misuse.object = semaphore.object;
  misuse.value = semaphore.value;
  if (earlier != nullptr) {
    misuse.earlier = earlier->call;
    misuse.site = earlier->site;
  }
  rules::OnSyncMisuse(misuse, call);
}

// Whether all signals that the batch waits for are submitted.
bool Ready(const Batch& batch) {
  for (const Batch::Semaphore& wait : batch.waits) {
    if (wait.object->generation.load(std::memory_order_relaxed) != wait.generation) continue;
    std::lock_guard lock(wait.state->lock);
    if (wait.state->foreign) continue;
    if (wait.state->timeline) {
      std::vector<Snapshot> points;
      if (!wait.state->signals.PointsOf(wait.value, &points)) return false;
    } else if (!wait.state->signals.pending() && wait.state->parked_signals != 0) {
      return false;
    }
  }
  return true;
}

// Whether the semaphore is binary and no submission, parked or not, signals it. A signal that
// follows later comes too late, even if the wait is parked.
bool LacksSignal(SemaphoreState& semaphore) {
  std::lock_guard lock(semaphore.lock);
  return !semaphore.timeline && !semaphore.foreign && !semaphore.signals.pending() &&
         semaphore.parked_signals == 0 && !semaphore.shared.load(std::memory_order_relaxed);
}

// The fence's point was set. Precondition: the fence is locked.
void PointIsSet(VkCall& call, const FenceState& fence) {
  // The program may observe the signal outside of gpusan's view.
  if (fence.foreign) [[unlikely]]
    call.tracker().ordering().WaitSnapshot(fence.point);
}

// The command, a sparse bind, uses the resource or the memory.
void NoteBound(VkCall& call, const Command& command, const WeakRef<Resource>& bound) {
  Resource* resource = bound.get();
  if (resource == nullptr || !resource->live()) return;
  const auto note = [&](auto& state) {
    std::lock_guard lock(state.lock);
    state.used.Note(command, call.tracker().ordering().host());
  };
  if (resource->kind == ObjectKind::kPhysicalMemory) {
    note(MemoryOf(*resource));
  } else {
    note(ScopedOf(*resource));
    PlaceSparseRanges(*resource, {command.call, command.site, command.epoch},
                      call.tracker().ordering().host());
  }
}

// The state that a wait takes from its semaphore.
struct ReceivedSignals {
  std::vector<Snapshot> points;
  SignalList::Scope scope;
  bool unseen = false;  // gpusan may not see the signal
};

ReceivedSignals Receive(VkCall& call, const Batch::Semaphore& wait) {
  ReceivedSignals received;
  bool misuse = false;
  {
    std::lock_guard lock(wait.state->lock);
    received.unseen = wait.state->foreign;
    if (wait.state->timeline) {
      // The host may know that the work ran although no signal was seen.
      if (!wait.state->signals.PointsOf(wait.value, &received.points, &received.scope))
        received.unseen |= wait.state->shared.load(std::memory_order_relaxed);
    } else if (wait.state->signals.pending()) {
      SignalList::Signal signal = wait.state->signals.Take();
      received.scope = signal.scope;
      received.points.push_back(std::move(signal.point));
    } else {
      received.unseen |= wait.state->shared.load(std::memory_order_relaxed);
      misuse = !received.unseen;
    }
    if (wait.state->temporary) [[unlikely]] {
      // The wait restores the semaphore's own payload (Vulkan 1.3 §7.4.6).
      wait.state->temporary = wait.state->foreign = wait.state->unclear = false;
      wait.state->signals.Reset(0);
    }
  }
  if (misuse && !wait.reported)
    ReportMisuse(call, wait, SyncMisuse::Fault::kNothingToWaitFor, nullptr);
  return received;
}

// Orders the queue after the signals for which the batch waits.
void ProcessWait(VkCall& call, QueueState& queue, const Batch& batch,
                 const Batch::Semaphore& wait) {
  if (wait.object->generation.load(std::memory_order_relaxed) != wait.generation) return;
  Tracker& tracker = call.tracker();
  const ReceivedSignals received = Receive(call, wait);
  Snapshot point;
  for (const Snapshot& signal : received.points) tracker.ordering().JoinPoint(&point, signal);
  // A signal that gpusan does not see may be ordered after any work.
  if (received.unseen) tracker.ordering().JoinPoint(&point, tracker.SnapAll());
  tracker.ordering().OrderBehind(*queue.queue, point);
  if (sparse_ranges_known.load(std::memory_order_relaxed)) [[unlikely]]
    NoteSparseWait(queue.timeline(), point.clock);
  // Through which stages work of other queues reaches the signal is unknown.
  const bool own = received.scope.timeline == queue.timeline() && !received.unseen;
  queue.order.Acquire(point.clock, wait.stages, batch.call, batch.site,
                      own ? std::optional(received.scope.stages) : std::nullopt);
}

// Records that the command uses the semaphores of the batch.
void NoteSemaphores(VkCall& call, const Batch& batch, const Command& command) {
  for (const auto* semaphores : {&batch.waits, &batch.signals}) {
    for (const Batch::Semaphore& one : *semaphores) {
      if (!one.state->foreign &&
          one.object->generation.load(std::memory_order_relaxed) == one.generation)
        one.state->NoteUse(command, call.tracker().ordering().host());
    }
  }
}

void ProcessCommands(VkCall& call, QueueState& queue, const Batch& batch, const Command& command) {
  if (batch.commands.empty()) return;
  RecentBatch& recent = queue.recent[queue.recent_count++ % QueueState::kRecent];
  recent.call = batch.call;
  recent.site = batch.site;
  recent.epoch = command.epoch;
  recent.number = batch.number;
  recent.command_count = 0;
  for (const Batch::Commands& commands : batch.commands) {
    {
      CommandBufferState& state = *commands.state;
      std::lock_guard lock(state.lock);
      state.submitted.Note(command, call.tracker().ordering().host());
    }
    if (commands.state->unseen_writes) call.tracker().objects().NoteUnseenWrites();
    Replay(call, queue, command, *commands.recording);
  }
}

void ProcessSignals(VkCall& call, QueueState& queue, const Batch& batch) {
  Ordering& ordering = call.tracker().ordering();
  if (!batch.signals.empty()) {
    const Snapshot point = ordering.Snap(*queue.queue);
    for (const Batch::Semaphore& signal : batch.signals) {
      if (signal.object->generation.load(std::memory_order_relaxed) != signal.generation) continue;
      AddSignal(call, signal,
                {signal.value, point, batch.call, batch.site, {queue.timeline(), signal.stages}});
    }
  }
  if (batch.fence != nullptr) {
    std::lock_guard lock(batch.fence->lock);
    ordering.Snap(*queue.queue, &batch.fence->point);
    PointIsSet(call, *batch.fence);
  }
}

// Puts the batch into the order of the queue. Precondition: the queue is locked.
void Process(VkCall& call, QueueState& queue, Batch& batch) {
  for (const Batch::Semaphore& wait : batch.waits) ProcessWait(call, queue, batch, wait);
  Command command;
  call.tracker().ordering().Begin(call, command, queue.queue, {});
  command.call = batch.call;
  command.site = batch.site;
  command.label = batch.label;
  NoteSemaphores(call, batch, command);
  ProcessCommands(call, queue, batch, command);
  for (const WeakRef<Resource>& bound : batch.bound) NoteBound(call, command, bound);
  ProcessSignals(call, queue, batch);
}

using enum rules::SyncStateUse::Fault;

void CheckCommandBuffer(VkCall& call, CommandBufferState& state) {
  if ((state.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0) return;
  CheckNotPending(call, *state.object, state.submitted, state.lock, rules::PendingUse::Act::kRecord,
                  "VUID-vkQueueSubmit-pCommandBuffers-00071");
}

// Adds a finding, and returns true, if the object belongs to another device. Without an object, it
// returns false.
bool OfOtherDevice(VkCall& call, const Object* object, const char* argument) {
  const Object* device = call.device().object;
  if (object == nullptr || object->context == device) [[likely]]
    return false;
  if (object->context == nullptr || shares_handles.load(std::memory_order_relaxed)) return false;
  call.MayCrash();
  rules::CheckOwner(call, object, device, argument);
  return true;
}

void AddCommands(VkCall& call, const QueueState& queue, VkCommandBuffer handle, Batch* batch) {
  CommandBufferState* state = StateOf(call, handle);
  if (state == nullptr || OfOtherDevice(call, state->object, "pCommandBuffers[]")) return;
  if (state->secondary) [[unlikely]]
    return ReportSync(call, *state->object, kSubmitsSecondary);
  if (state->family != queue.family && state->family != VK_QUEUE_FAMILY_IGNORED) [[unlikely]] {
    ReportSync(call, *state->object, kSubmitsOtherFamily, std::to_string(state->family),
               std::to_string(queue.family));
  }
  CheckCommandBuffer(call, *state);
  const bool once = (state->usage & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT) != 0;
  CheckPhase(call, *state, state->phase == CommandBufferState::Phase::kExecutable,
             once ? rules::CallFault::kSubmitsTwice : rules::CallFault::kSubmitsUnended,
             "VUID-vkQueueSubmit-pCommandBuffers-00070");
  if (!state->recording->children().empty()) [[unlikely]]
    SubmitSecondaries(call, *state);
  if (once) state->phase = CommandBufferState::Phase::kInvalid;
  batch->commands.push_back({state, state->recording});
}

uint32_t CommandsOf(const VkSubmitInfo& info) { return info.commandBufferCount; }
uint32_t CommandsOf(const VkSubmitInfo2& info) { return info.commandBufferInfoCount; }
uint32_t CommandsOf(const VkBindSparseInfo&) { return 0; }

std::unique_ptr<Batch> NewBatch(VkCall& call) {
  auto batch = std::make_unique<Batch>();
  batch->call = &call.info();
  batch->site = call.site();
  return batch;
}

// Precondition: the fence is locked.
void NoteSubmitted(VkCall& call, FenceState* fence, SiteId site) {
  fence->submitted = true;
  fence->signaled = false;
  fence->submit_call = &call.info();
  fence->submit_site = site;
}

// Returns the fence that a submission signals; nullptr if it has none, or if the fence is unusable.
FenceState* SubmittedFence(VkCall& call, VkFence handle) {
  if (handle == VK_NULL_HANDLE) return nullptr;
  FenceState* fence = FenceOf(call, handle, "fence");
  const Object* object = fence != nullptr ? call.tracker().objects().Find(
                                                Api::kVulkan, ObjectKind::kFence, HandleOf(handle))
                                          : nullptr;
  return OfOtherDevice(call, object, "fence") ? nullptr : fence;
}

// The last batch signals the fence.
void SubmitFence(VkCall& call, Batch* last, VkFence handle) {
  last->fence = SubmittedFence(call, handle);
  if (last->fence == nullptr) return;
  CheckFence(call, *last->fence, handle, kFenceSignaled, kFenceInUse);
  std::lock_guard lock(last->fence->lock);
  NoteSubmitted(call, last->fence, last->site);
}

// A submission without batches: the fence is signaled after all earlier work.
void SubmitFenceAlone(VkCall& call, QueueState& queue, VkFence handle) {
  FenceState* fence = SubmittedFence(call, handle);
  if (fence == nullptr) return;
  CheckFence(call, *fence, handle, kFenceSignaled, kFenceInUse);
  const SiteId site = call.site();
  {
    std::lock_guard lock(queue.lock);
    std::lock_guard fence_lock(fence->lock);
    NoteSubmitted(call, fence, site);
    if (queue.parked.empty()) [[likely]] {
      call.tracker().ordering().TakePoint(call, *queue.queue, &fence->point);
      PointIsSet(call, *fence);
      return;
    }
  }
  std::unique_ptr<Batch> batch = NewBatch(call);
  batch->fence = fence;
  Submit(call, queue, std::move(batch));
}

// `fill(queue, info, batch)` converts one info to a batch.
template <typename Info, typename Fill>
void SubmitAll(VkCall& call, VkQueue handle, uint32_t count, const Info* infos, VkFence fence,
               Fill fill) {
  QueueState* queue = StateOf(call, handle);
  if (queue == nullptr || queue->device.lost.load(std::memory_order_relaxed)) return;
  ReportGuarded(call.tracker());
  for (uint32_t i = 0; i < count; ++i) {
    std::unique_ptr<Batch> batch = NewBatch(call);
    fill(*queue, infos[i], batch.get());
    if (batch->commands.size() == CommandsOf(infos[i])) [[likely]]
      CheckRenderings(call, *batch);
    if (i + 1 == count) SubmitFence(call, batch.get(), fence);
    Submit(call, *queue, std::move(batch));
  }
  if (count == 0) SubmitFenceAlone(call, *queue, fence);
  RunParked(call, queue->device);
  SettleGuards(call);
}

// Undoes a failed submission, whose work does not run. `describe(info, FailedBatch*)`.
template <typename Info, typename Describe>
[[gnu::noinline, gnu::cold]] void Failed(VkCall& call, VkResult code, VkQueue handle,
                                         uint32_t count, const Info* infos, VkFence fence,
                                         Describe describe) {
  QueueState* queue = StateOf(call, handle);
  if (queue == nullptr) return;
  if (code == VK_ERROR_DEVICE_LOST) {
    // The work of this call does not run; the report of the loss names earlier work.
    std::lock_guard lock(queue->lock);
    while (queue->recent_count != 0 && count != 0 &&
           queue->recent[(queue->recent_count - 1) % QueueState::kRecent].number + count >=
               queue->batches)
      --queue->recent_count, --count;
    return;
  }
  std::vector<FailedBatch> batches(count);
  for (uint32_t i = 0; i < count; ++i) describe(infos[i], &batches[i]);
  TakeBack(call, *queue, batches, fence);
}

}  // namespace

void CheckFence(VkCall& call, FenceState& fence, VkFence handle,
                rules::SyncStateUse::Fault signaled, rules::SyncStateUse::Fault in_use) {
  const CallInfo* earlier;
  SiteId site;
  bool pending;
  {
    std::lock_guard lock(fence.lock);
    // Only a wait shows that the presentation engine has signaled it.
    if (fence.foreign || (!fence.signaled && (fence.presents || !fence.submitted))) [[likely]]
      return;
    // The point of a parked batch is empty.
    pending = fence.Pending(call.tracker().ordering().host()) ||
              (fence.submitted && fence.point.clock.empty());
    earlier = fence.submitted ? fence.submit_call : nullptr;
    site = fence.submit_site;
  }
  ReportSync(call, ObjectKind::kFence, HandleOf(handle), pending ? in_use : signaled,
             {earlier, site});
}

void AddSignal(VkCall& call, const Batch::Semaphore& semaphore, SignalList::Signal signal,
               bool by_host) {
  SemaphoreState& state = *semaphore.state;
  if (state.shared.load(std::memory_order_relaxed)) [[unlikely]] {
    if (!state.timeline) signal.value = 0;
    return call.tracker().ordering().SignalShared(call, *semaphore.object, state,
                                                  std::move(signal));
  }
  SignalList::Signal earlier;
  ValueFault fault;
  {
    std::lock_guard lock(state.lock);
    if (state.timeline && !state.foreign)
      fault = CheckValue(state, signal, by_host, call.tracker().ordering().host());
    if ((state.signals.Add(signal) || state.foreign) && !fault.found) return;
    if (!state.timeline) {
      earlier = state.signals.Take();
      state.signals.Add(std::move(signal));
    }
  }
  if (fault.found) return ReportValue(call, semaphore, fault);
  ReportMisuse(
      call, semaphore,
      state.timeline ? SyncMisuse::Fault::kValueNotGreater : SyncMisuse::Fault::kSignaledTwice,
      state.timeline ? nullptr : &earlier);
}

Batch::Semaphore BatchSemaphore(VkCall& call, VkSemaphore handle, uint64_t value, uint64_t stages,
                                const char* argument) {
  Batch::Semaphore semaphore;
  semaphore.object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kSemaphore, HandleOf(handle), argument));
  if (semaphore.object == nullptr || OfOtherDevice(call, semaphore.object, argument))
    return Batch::Semaphore();
  semaphore.state = static_cast<SemaphoreState*>(semaphore.object->part);
  semaphore.generation = semaphore.object->generation.load(std::memory_order_relaxed);
  semaphore.value = value;
  semaphore.stages = stages;
  return semaphore;
}

void Submit(VkCall& call, QueueState& queue, std::unique_ptr<Batch> batch) {
  if (queue.device.parked.load(std::memory_order_relaxed) != 0) [[unlikely]]
    CheckDependsOnParked(call, *batch,
                         call.info().name == std::string_view("vkQueuePresentKHR")
                             ? kPresentNotSubmitted
                             : kSignalNotSubmitted);
  if (present_semaphores.load(std::memory_order_relaxed) != 0) [[unlikely]]
    CheckPresentSemaphores(call, *batch,
                           VuidOf(SyncMisuse::Fault::kSignaledTwice, call.info().name));
  std::lock_guard lock(queue.lock);
  batch->label = queue.labels.current();
  batch->number = queue.batches++;
  if (queue.parked.empty() && Ready(*batch)) [[likely]] {
    Process(call, queue, *batch);
    return;
  }
  CheckBehindWaits(call, queue, *batch);
  for (Batch::Semaphore& wait : batch->waits) {
    wait.reported = LacksSignal(*wait.state);
    if (wait.reported) ReportMisuse(call, wait, SyncMisuse::Fault::kNothingToWaitFor, nullptr);
  }
  for (const Batch::Semaphore& signal : batch->signals) {
    std::lock_guard semaphore_lock(signal.state->lock);
    ++signal.state->parked_signals;
  }
  queue.parked.push_back(std::move(batch));
  queue.device.parked.fetch_add(1, std::memory_order_release);
}

namespace {

// Precondition: the queue is locked.
std::unique_ptr<Batch> TakeParked(QueueState& queue) {
  std::unique_ptr<Batch> batch = std::move(queue.parked.front());
  queue.parked.pop_front();
  queue.device.parked.fetch_sub(1, std::memory_order_relaxed);
  for (const Batch::Semaphore& signal : batch->signals) {
    std::lock_guard lock(signal.state->lock);
    if (signal.state->parked_signals != 0) --signal.state->parked_signals;
  }
  return batch;
}
void ProcessParked(VkCall& call, QueueState& queue) { Process(call, queue, *TakeParked(queue)); }

}  // namespace

void RunParkedNow(VkCall& call, Device& device) {
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(device.queues_lock);
    queues = device.queues;
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (QueueState* queue : queues) {
      std::lock_guard lock(queue->lock);
      while (!queue->parked.empty() && Ready(*queue->parked.front())) {
        ProcessParked(call, *queue);
        progress = true;
      }
    }
  }
}

void RunParkedThat(VkCall& call, Device& device, const std::function<bool(const Batch&)>& ran) {
  RunParkedNow(call, device);
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(device.queues_lock);
    queues = device.queues;
  }
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    size_t count = 0;
    for (size_t i = 0; i < queue->parked.size(); ++i) {
      if (ran(*queue->parked[i])) count = i + 1;
    }
    for (; count > 0; --count) ProcessParked(call, *queue);
  }
  RunParked(call, device);
}

void ObserveIdle(VkCall& call, QueueState& queue) {
  ForgetAllPresentSemaphores();
  {
    std::lock_guard lock(queue.lock);
    // The parked batches ran: their waits were signaled outside of gpusan's view. On a lost device
    // they do not run.
    while (!queue.parked.empty()) {
      if (queue.device.lost.load(std::memory_order_relaxed)) {
        TakeParked(queue);
      } else {
        ProcessParked(call, queue);
      }
    }
    call.tracker().ordering().WaitSnapshot(call.tracker().ordering().Snap(*queue.queue));
  }
  SettleGuards(call);
}

void ObserveDeviceIdle(VkCall& call, Device& device) {
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(device.queues_lock);
    queues = device.queues;
  }
  for (QueueState* queue : queues) ObserveIdle(call, *queue);
}

void QueueSubmit::Before(VkCall& call, VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
                         VkFence fence) {
  SubmitAll(call, queue, count, infos, fence,
            [&](const QueueState& on, const VkSubmitInfo& info, Batch* batch) {
              AddOldSemaphores(call, on, info, info.pWaitDstStageMask, batch);
              for (uint32_t i = 0; i < info.commandBufferCount; ++i)
                AddCommands(call, on, info.pCommandBuffers[i], batch);
            });
}

void QueueSubmit::After(VkCall& call, VkResult code, VkQueue queue, uint32_t count,
                        const VkSubmitInfo* infos, VkFence fence) {
  if (code == VK_SUCCESS) [[likely]]
    return;
  Failed(call, code, queue, count, infos, fence, [](const VkSubmitInfo& info, FailedBatch* batch) {
    DescribeOldSemaphores(info, batch);
    batch->commands.assign(info.pCommandBuffers, info.pCommandBuffers + info.commandBufferCount);
  });
}

void QueueSubmit2::Before(VkCall& call, VkQueue queue, uint32_t count, const VkSubmitInfo2* infos,
                          VkFence fence) {
  if (!call.device().features.synchronization2) [[unlikely]] {
    if (const Object* object =
            call.tracker().objects().Find(Api::kVulkan, ObjectKind::kQueue, HandleOf(queue)))
      ReportLacksSync2(call, *object, "03866");
  }
  SubmitAll(
      call, queue, count, infos, fence,
      [&](const QueueState& on, const VkSubmitInfo2& info, Batch* batch) {
        for (uint32_t i = 0; i < info.waitSemaphoreInfoCount; ++i) {
          const VkSemaphoreSubmitInfo& wait = info.pWaitSemaphoreInfos[i];
          AddSemaphore(call, on, wait.stageMask, true, &batch->waits,
                       BatchSemaphore(call, wait.semaphore, wait.value, ExpandWait(wait.stageMask),
                                      "pWaitSemaphoreInfos[].semaphore"));
        }
        for (uint32_t i = 0; i < info.commandBufferInfoCount; ++i)
          AddCommands(call, on, info.pCommandBufferInfos[i].commandBuffer, batch);
        for (uint32_t i = 0; i < info.signalSemaphoreInfoCount; ++i) {
          const VkSemaphoreSubmitInfo& signal = info.pSignalSemaphoreInfos[i];
          AddSemaphore(
              call, on, signal.stageMask, false, &batch->signals,
              BatchSemaphore(call, signal.semaphore, signal.value, ExpandSignal(signal.stageMask),
                             "pSignalSemaphoreInfos[].semaphore"));
        }
        CheckOwnWaits(call, *batch);
      });
}

void QueueSubmit2::After(VkCall& call, VkResult code, VkQueue queue, uint32_t count,
                         const VkSubmitInfo2* infos, VkFence fence) {
  if (code == VK_SUCCESS) [[likely]]
    return;
  Failed(call, code, queue, count, infos, fence, [](const VkSubmitInfo2& info, FailedBatch* batch) {
    for (uint32_t i = 0; i < info.waitSemaphoreInfoCount; ++i)
      batch->waits.push_back(info.pWaitSemaphoreInfos[i].semaphore);
    for (uint32_t i = 0; i < info.commandBufferInfoCount; ++i)
      batch->commands.push_back(info.pCommandBufferInfos[i].commandBuffer);
    for (uint32_t i = 0; i < info.signalSemaphoreInfoCount; ++i) {
      const VkSemaphoreSubmitInfo& signal = info.pSignalSemaphoreInfos[i];
      batch->signals.emplace_back(signal.semaphore, signal.value);
    }
  });
}

void QueueBindSparse::Before(VkCall& call, VkQueue queue, uint32_t count,
                             const VkBindSparseInfo* infos, VkFence fence) {
  SubmitAll(call, queue, count, infos, fence,
            [&](const QueueState& on, const VkBindSparseInfo& info, Batch* batch) {
              batch->bound = CheckSparseBinds(call, info);
              AddOldSemaphores(call, on, info, nullptr, batch);
            });
}

void QueueBindSparse::After(VkCall& call, VkResult code, VkQueue queue, uint32_t count,
                            const VkBindSparseInfo* infos, VkFence fence) {
  if (code == VK_SUCCESS) return;
  DropSparseRanges();
  Failed(
      call, code, queue, count, infos, fence,
      [](const VkBindSparseInfo& info, FailedBatch* batch) { DescribeOldSemaphores(info, batch); });
}

void QueueWaitIdle::After(VkCall& call, VkResult code, VkQueue queue) {
  if (code != VK_SUCCESS) return;
  if (QueueState* state = StateOf(call, queue); state != nullptr) ObserveIdle(call, *state);
}

void DeviceWaitIdle::After(VkCall& call, VkResult code, VkDevice) {
  if (code == VK_SUCCESS) ObserveDeviceIdle(call, call.device());
}

}  // namespace gpusan::vulkan
