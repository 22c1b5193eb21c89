// The order of the commands of a process: the clock of the host, the timelines of queues,
// snapshots, waits, and signals that are not submitted yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/model/apis.h"
#include "tracker/model/clock.h"
#include "tracker/model/order_point.h"
#include "tracker/objects/pending_signals.h"
#include "tracker/objects/queue.h"
#include "tracker/objects/timelines.h"
#include "tracker/order/flag_order.h"
#include "tracker/order/host_order.h"
#include "tracker/order/semaphore.h"

namespace gpusan {

class CommandLog;

// Gives each command its epoch and its clock, and keeps what the host has waited for. Thread-safe.
// Holds no lock while it runs rules.
class Ordering {
 public:
  // `log_entries`: capacity of the command log for each thread; 0: no command log.
  explicit Ordering(uint64_t log_entries);
  ~Ordering();
  Ordering(const Ordering&) = delete;
  Ordering& operator=(const Ordering&) = delete;

  HostClock& host() { return host_; }
  const HostClock& host() const { return host_; }
  // Returns nullptr without a command log.
  CommandLog* command_log() { return kept_log_.get(); }
  // Switches the logging of commands on or off, for benchmarks. Not thread-safe: no other thread
  // may use the tracker.
  void SwitchCommandLog(bool on);
  // Returns the number of history entries and timelines that were dropped to keep the shadow state
  // bounded.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
  void NoteDropped(int count) {
    if (count != 0) [[unlikely]]
      dropped_.fetch_add(static_cast<uint64_t>(count), std::memory_order_relaxed);
  }

  // --- Queues

  // Prepares the timelines of a new queue.
  void StartQueue(Queue& queue);
  // Makes the timelines of a released queue available to new queues.
  void RetireQueue(Queue& queue);
  // Returns the queue of a command; nullptr: unknown, or the queue is released.
  Queue* QueueOf(Epoch epoch) const { return timelines_.OwnerOf(epoch.timeline()); }

  // --- Commands

  // Gives the command its epoch and its clock. `after_all` orders it after all earlier commands of
  // the queue, and `barrier` orders all later commands of the queue after it; an in-order queue
  // implies both. The command is untracked if `queue` is nullptr.
  void Begin(Call& call, Command& command, Queue* queue, absl::Span<Event* const> waits,
             bool after_all = false, bool barrier = false);
  // Fast path of Begin for a command that waits for no events. Returns false, without taking an
  // epoch, if TakeEpoch does. Sets `*origin`, too.
  bool BeginPlain(Call& call, Command& command, Queue& queue, AccessOrigin* origin);
  bool BeginPlain(Call& call, Command& command, Queue& queue) {
    AccessOrigin origin;
    return BeginPlain(call, command, queue, &origin);
  }
  // Sets epoch and gates of `*origin` to the next ones of an in-order queue that waits for nothing
  // except settled gates. Returns false, without taking an epoch, for other queues. Requires that
  // call and site of `*origin` are set if there is a command log, and that the stream group of the
  // queue has been joined (StreamGroup::Join).
  bool TakeEpoch(Queue& queue, AccessOrigin* origin);
  // Records that the host has waited for the command and what it waited for.
  void CommitBlocking(const Command& command);
  // As above, for a command that TakeEpoch began.
  void CommitBlocking(Epoch epoch, GateSet gates) {
    if (log_ != nullptr) [[unlikely]]
      LogHostWait(epoch);
    host_.Join(epoch);
    if (gates != 0) [[unlikely]]
      JoinHost(gates);
  }
  // Removes the command from the command log, because its call failed and enqueued nothing.
  void Withdraw(Epoch epoch) {
    if (log_ != nullptr) [[unlikely]]
      LogFailed(epoch);
  }
  // Runs the rules on two conflicting accesses, now or when the gates of both are open. `resource`
  // is nullptr for host memory.
  void OnConflict(Call& call, Resource* resource, const Access& earlier, const Access& later);

  // Records that the command may signal the host through shared memory. Then the program may know,
  // without a call, that all earlier commands of the timeline are complete.
  void NoteSignals(Epoch epoch) { signals_.Join(epoch); }
  // Returns whether the program may know without a call that the command has run.
  bool MayHaveSignaled(Epoch epoch) const { return signals_.Completed(epoch); }
  // Returns whether nothing orders the command and what the host does now (host_order.h).
  bool IsBesideHost(Epoch epoch, GateSet gates, Api api) const {
    return gpusan::IsBesideHost(epoch, gates, api, host_, signals_);
  }

  // Records a transfer of `bytes`, which may write a flag for which kernels of its API wait.
  void NoteTransfer(Api api, uint64_t bytes, Epoch epoch) {
    if (bytes <= FlagOrder::kMostBytes && CommandsWaitForMemory(api)) flags_.NoteWrite(epoch);
  }
  // Records that the command is a kernel that may write a flag and, if `waits`, that waits for one
  // in a loop.
  void NoteFlags(Epoch epoch, bool waits);
  // As NoteFlags with `waits`, for the next command of the in-order queue. Call it before the
  // accesses of the command are checked.
  void NoteNextWaits(Queue& queue);

  // --- Snapshots

  // Returns a snapshot after all commands that have been enqueued to the queue so far.
  Snapshot Snap(Queue& queue);
  // As above, into an existing snapshot, whose storage is reused. Costs one lock for an in-order
  // queue that waits for nothing.
  void Snap(Queue& queue, Snapshot* point);
  // Takes an epoch of its own in the queue, like a command without waits, and sets `*point` to a
  // snapshot after it.
  void TakePoint(Call& call, Queue& queue, Snapshot* point);
  // Orders `*point` after `other`, too.
  void JoinPoint(Snapshot* point, const Snapshot& other);
  // Orders all later commands of the queue after `point`.
  void OrderBehind(Queue& queue, const Snapshot& point);

  // --- Waits of the host: later commands are ordered after the event or the queue's commands

  void WaitEvent(const Event& event);
  void WaitQueue(Queue& queue);
  // Orders all later commands after `point`, for which the host has waited.
  void WaitSnapshot(const Snapshot& point);

  // --- Signals

  // Returns whether commands may wait for user events that are not set: UnsetEvent may find one.
  bool MayHaveUnsetEvents() const { return waited_events_.load(std::memory_order_relaxed) != 0; }
  // Returns a user event of the gates that is not set; nullptr if there is none.
  const Event* UnsetEvent(GateSet gates) { return gates != 0 ? gates_.UnsetEvent(gates) : nullptr; }

  // Records that the program signals a user event, and checks the accesses that were parked for it.
  // `status` < 0 means that the event failed: parked accesses are dropped.
  void SignalUserEvent(Call& call, Event& event, int32_t status);
  // Orders all later commands of the queue after a semaphore value that no submission reaches yet.
  void GateBehind(Queue& queue, Object& semaphore, uint64_t value);
  // The semaphore reaches `value` at `point`: checks the accesses that were parked for it.
  void OpenGate(Call& call, const Object& semaphore, uint64_t value, const Snapshot& point);
  // Adds a signal of a semaphore that several APIs of the process share, and opens its gates.
  // `signal.value` is 0 for a binary semaphore. Misuse of a shared semaphore is not reported,
  // because duplicates of its descriptors may be used out of view.
  void SignalShared(Call& call, Object& semaphore, SharedSemaphore& state,
                    SignalList::Signal signal);
  // Orders all later commands of the queue after the signal of `value`, or after the next signal of
  // a binary semaphore.
  void WaitForShared(Call& call, Queue& queue, Object& semaphore, SharedSemaphore& state,
                     uint64_t value);
  // The signal of this value will not be seen: drops the accesses that were parked for it.
  void AbandonGate(Call& call, const Object& semaphore, uint64_t value);

 private:
  // Joins the clock of all commands of the queue into `*clock`. The caller holds the queue's lock.
  void JoinEverything(Queue& queue, Clock* clock);
  // Orders later commands after the snapshots with which these gates opened, because the host has
  // waited for a command behind the gates.
  void JoinHost(GateSet gates);
  // Runs the rules on the pairs of accesses that were parked behind a gate that is now open.
  void CheckOpened(Call& call, const std::vector<ParkedPair>& pairs);
  // Returns a lane of an out-of-order queue for a command with the clock `before`: one whose last
  // command is ordered before the command or complete, or a new one.
  Lane& PickLane(Queue& queue, const Clock& before);
  Lane NewLane(Queue& queue);
  // Writes the command to the command log. `after_all` is as in Begin.
  void Log(const Command& command, absl::Span<Event* const> waits, bool after_all);
  // Require that there is a command log.
  [[gnu::noinline]] void LogHostWait(Epoch epoch);
  [[gnu::noinline]] void LogFailed(Epoch epoch);

  HostClock host_;
  LazyHostClock signals_;  // the last command of each timeline that may signal the host
  FlagOrder flags_;
  Gates gates_{host_};
  const std::unique_ptr<CommandLog> kept_log_;
  CommandLog* log_;  // kept_log_, or nullptr while logging is switched off
  std::atomic<uint64_t> dropped_{0};
  std::atomic<uint32_t> waited_events_{0};  // user events that have waiters and are not set
  Timelines timelines_{host_};
};

// Returns the origin of an access of the call, without epoch and gates.
inline AccessOrigin OriginOf(Call& call) {
  AccessOrigin origin;
  origin.call = &call.info();
  origin.site = call.site();
  return origin;
}

// Sets the members of a command that TakeEpoch began.
inline void SetOrigin(Command* command, Queue* queue, const AccessOrigin& origin) {
  command->queue = queue;
  command->epoch = origin.epoch;
  command->gates = origin.gates;
  command->call = origin.call;
  command->site = origin.site;
}

}  // namespace gpusan
