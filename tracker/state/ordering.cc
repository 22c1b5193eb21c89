// Ordering: epochs and clocks of commands.
#include "tracker/state/ordering.h"

#include <mutex>

#include "tracker/objects/command_log.h"
#include "tracker/order/waiting_kernels.h"
#include "tracker/rules/rules.h"

namespace gpusan {
namespace {

constexpr size_t kMaxLanes = 256;

}  // namespace

Ordering::Ordering(uint64_t log_entries)
    : kept_log_(log_entries != 0 ? new CommandLog(log_entries) : nullptr), log_(kept_log_.get()) {}

Ordering::~Ordering() = default;

void Ordering::SwitchCommandLog(bool on) {
  if (!on && log_ != nullptr) log_->Interrupt();
  log_ = on ? kept_log_.get() : nullptr;
}

void Ordering::LogHostWait(Epoch epoch) { log_->HostWait(epoch); }

void Ordering::LogFailed(Epoch epoch) { log_->Failed(epoch); }

// --- Queues

void Ordering::StartQueue(Queue& queue) {
  queue.lanes.clear();
  if (queue.in_order) queue.lanes.push_back(NewLane(queue));
}

void Ordering::RetireQueue(Queue& queue) {
  if (log_ != nullptr) log_->Forget(queue);
  timelines_.Retire(queue);
}

Lane Ordering::NewLane(Queue& queue) {
  Lane lane;
  bool shared;
  lane.timeline = timelines_.Take(&queue, &lane.tick, &shared);
  NoteDropped(shared);
  return lane;
}

Lane& Ordering::PickLane(Queue& queue, const Clock& before) {
  for (Lane& lane : queue.lanes) {
    const Epoch last(lane.timeline, lane.tick);
    if (lane.tick == 0 || host_.Completed(last) || before.Covers(last)) return lane;
  }
  if (queue.lanes.size() >= kMaxLanes) {
    NoteDropped(1);
    return queue.lanes.front();
  }
  return queue.lanes.emplace_back(NewLane(queue));
}

void Ordering::JoinEverything(Queue& queue, Clock* clock) {
  for (const Lane& lane : queue.lanes) {
    const Epoch last(lane.timeline, lane.tick);
    if (lane.tick != 0 && !host_.Completed(last)) clock->Join(last);
  }
  if (!queue.waited.empty()) clock->Join(queue.waited);
  if (!queue.behind.empty()) clock->Join(queue.behind);
}

// --- Commands

void Ordering::Begin(Call& call, Command& command, Queue* queue, absl::Span<Event* const> waits,
                     bool after_all, bool barrier) {
  command.queue = queue;
  command.call = &call.info();
  command.site = call.site();
  if (queue == nullptr) return;
  std::lock_guard lock(queue->lock);
  queue->NoteWork();
  GateSet gates = 0;
  if (queue->gates != 0) [[unlikely]] {
    // Closed gates stay closed until the version changes, when some gate opens.
    const uint32_t version = gates_.version();
    if (queue->gates_version != version) {
      queue->gates = gates_.Settle(queue->gates, &queue->waited);
      queue->gates_version = version;
    }
    gates = queue->gates;
  }
  if (!queue->waited.empty()) {
    queue->waited.Prune(host_);
    command.before.Join(queue->waited);
  }
  for (Event* event : waits) {
    if (event->kind == ObjectKind::kUserEvent) {
      if (event->status.load(std::memory_order_acquire) == 1) {
        if (event->waiters.fetch_add(1, std::memory_order_relaxed) == 0) {
          event->first_waiter = command.site;
          event->first_waiter_call = command.call;
          waited_events_.fetch_add(1, std::memory_order_relaxed);
        }
        gates = gates_.JoinEvent(gates, event);
      }
      continue;
    }
    if (event->gates != 0) [[unlikely]]
      gates = gates_.Join(gates, gates_.Settle(event->gates, &command.before));
    if (event->epoch.valid() && !host_.Completed(event->epoch)) {
      command.before.Join(event->epoch);
      if (!event->before.empty()) command.before.Join(event->before);
    }
  }
  command.gates = gates;
  if (queue->in_order) {
    Lane& lane = queue->lanes.front();
    command.epoch = Epoch(lane.timeline, ++lane.tick);
    if (log_ != nullptr && !queue->unlogged) [[unlikely]]
      Log(command, waits, false);
    if (!waits.empty()) queue->waited.Join(command.before);
    if (queue->gates != gates) [[unlikely]] {
      queue->gates = gates;
      queue->gates_version = 0;
    }
    return;
  }
  if (after_all) {
    JoinEverything(*queue, &command.before);
    if (queue->all_gates != 0) [[unlikely]] {
      command.gates = gates = gates_.Join(gates, gates_.Settle(queue->all_gates, &command.before));
    }
  }
  if (gates != 0) [[unlikely]]
    queue->all_gates = gates_.Join(queue->all_gates, gates);
  if (!command.before.empty()) {
    queue->behind.Prune(host_);
    queue->behind.Join(command.before);
  }
  Lane& lane = PickLane(*queue, command.before);
  command.epoch = Epoch(lane.timeline, ++lane.tick);
  if (log_ != nullptr) [[unlikely]]
    Log(command, waits, after_all);
  if (barrier) {
    queue->waited.Join(command.before);
    queue->waited.Join(command.epoch);
    queue->gates = gates_.Join(queue->gates, gates);
    queue->gates_version = 0;
  }
}

void Ordering::Log(const Command& command, absl::Span<Event* const> waits, bool after_all) {
  if (waits.empty() && !after_all)
    return log_->Command(*command.queue, command.epoch, *command.call, command.site);
  Clock behind;
  if (after_all) behind = command.before;
  for (const Event* event : waits) {
    if (event->kind != ObjectKind::kUserEvent && event->epoch.valid()) behind.Join(event->epoch);
  }
  log_->Command(*command.queue, command.epoch, *command.call, command.site, behind);
}

namespace {

// The host copies a word that a running kernel may write: it may wait for it.
bool IsPoll(const Access& kernel, const Access& copy) {
  return kernel.sureness != Sureness::kCertain && copy.sureness == Sureness::kCertain &&
         !copy.write && copy.region.bytes() <= FlagOrder::kMostBytes;
}

// The kernel may write a flag: if its code surely makes the access, the access is no volatile or
// atomic one.
bool MayBeFlag(const Access& kernel) {
  return kernel.write && CommandsWaitForMemory(kernel.call->api) &&
         (kernel.sureness == Sureness::kPossible || kernel.sureness == Sureness::kExtent);
}

}  // namespace

void Ordering::OnConflict(Call& call, Resource* resource, const Access& earlier,
                          const Access& later) {
  if (resource != nullptr && IsPoll(earlier, later)) {
    NoteWaitingKernel();
    if (MayBeFlag(earlier)) NoteSignals(earlier.epoch);
  }
  // The host may have enqueued the later command because of the signal.
  if (MayHaveSignaled(earlier.epoch) || flags_.MayOrder(earlier.epoch, later.epoch, host_))
      [[unlikely]]
    return;
  if (earlier.gates != 0 || later.gates != 0) [[unlikely]] {
    const ParkedPair pair{earlier, later, WeakRef<Resource>(resource), resource == nullptr};
    if (gates_.VerdictOf(pair) != Gates::Verdict::kConflict) return;
  }
  rules::OnConflict({resource, &earlier, &later}, call);
}

void Ordering::NoteFlags(Epoch epoch, bool waits) {
  flags_.NoteWrite(epoch);
  if (waits) flags_.NoteWait(epoch, host_);
}

void Ordering::NoteNextWaits(Queue& queue) {
  std::lock_guard lock(queue.lock);
  if (queue.lanes.empty()) return;
  const Lane& lane = queue.lanes.front();
  flags_.NoteWait(Epoch(lane.timeline, lane.tick + 1), host_);
}

void Ordering::CheckOpened(Call& call, const std::vector<ParkedPair>& pairs) {
  for (const ParkedPair& pair : pairs) {
    // Commands for which the host waited before it opened the gate are ordered before all commands
    // behind the gate.
    if (host_.Completed(pair.earlier.epoch) || host_.Completed(pair.later.epoch)) continue;
    Resource* resource = pair.resource.get();
    if (resource == nullptr && !pair.host_memory) continue;
    rules::OnConflict({resource, &pair.earlier, &pair.later}, call);
  }
}

bool Ordering::TakeEpoch(Queue& queue, AccessOrigin* origin) {
  if (!queue.in_order) return false;
  std::lock_guard lock(queue.lock);
  if (!queue.waited.empty()) {
    queue.waited.Prune(host_);
    if (!queue.waited.empty()) return false;
  }
  if (queue.gates != 0 && queue.gates_version != gates_.version()) return false;
  origin->gates = queue.gates;
  Lane& lane = queue.lanes.front();
  origin->epoch = Epoch(lane.timeline, ++lane.tick);
  queue.NoteWork();
  if (log_ != nullptr) log_->Command(queue, origin->epoch, *origin->call, origin->site);
  return true;
}

bool Ordering::BeginPlain(Call& call, Command& command, Queue& queue, AccessOrigin* origin) {
  *origin = OriginOf(call);
  if (!TakeEpoch(queue, origin)) return false;
  SetOrigin(&command, &queue, *origin);
  return true;
}

void Ordering::CommitBlocking(const Command& command) {
  if (command.queue == nullptr) return;
  CommitBlocking(command.epoch, command.gates);
  for (Epoch epoch : command.before.epochs()) host_.Join(epoch);
}

}  // namespace gpusan
