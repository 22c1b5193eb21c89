// Ordering: snapshots of queues, waits of the host, and signals.
#include <mutex>

#include "tracker/objects/command_log.h"
#include "tracker/state/ordering.h"

namespace gpusan {
namespace {

// Logs that the next command of the queue is ordered after `point`, without the epochs after which
// the queue is ordered already. `queue.waited` lacks epochs for which the host has waited, and
// every later command is ordered after them, too. The caller holds the queue's lock.
void LogOrder(CommandLog* log, const HostClock& host, const Queue& queue, const Clock& point) {
  const Lane& lane = queue.lanes.front();
  Clock news;
  for (Epoch epoch : point.epochs()) {
    if (epoch.timeline() != lane.timeline && !queue.waited.Covers(epoch) && !host.Completed(epoch))
      news.Join(epoch);
  }
  log->Order(Epoch(lane.timeline, lane.tick + 1), news);
}

}  // namespace

Snapshot Ordering::Snap(Queue& queue) {
  Snapshot point;
  Snap(queue, &point);
  return point;
}

void Ordering::Snap(Queue& queue, Snapshot* point) {
  point->clock.Clear();
  point->gates = 0;
  std::lock_guard lock(queue.lock);
  // Drop the epochs for which the host has waited: every later command is ordered after them.
  if (!queue.waited.empty()) queue.waited.Prune(host_);
  if (queue.in_order && queue.waited.empty()) [[likely]] {
    const Lane& lane = queue.lanes.front();
    const Epoch last(lane.timeline, lane.tick);
    if (lane.tick != 0 && !host_.Completed(last)) point->clock.Join(last);
  } else {
    JoinEverything(queue, &point->clock);
  }
  if (queue.gates == 0 && queue.all_gates == 0) [[likely]]
    return;
  point->gates = gates_.Join(gates_.Settle(queue.gates, &point->clock),
                             gates_.Settle(queue.all_gates, &point->clock));
}

void Ordering::TakePoint(Call& call, Queue& queue, Snapshot* point) {
  AccessOrigin origin;
  if (log_ != nullptr) [[unlikely]]
    origin = OriginOf(call);
  if (TakeEpoch(queue, &origin)) [[likely]] {
    point->clock.Clear();
    point->clock.Join(origin.epoch);
    point->gates = origin.gates;
    return;
  }
  Command command;
  Begin(call, command, &queue, {});
  Snap(queue, point);
}

void Ordering::JoinPoint(Snapshot* point, const Snapshot& other) {
  point->clock.Join(other.clock);
  if (other.gates != 0) point->gates = gates_.Join(point->gates, other.gates);
}

void Ordering::OrderBehind(Queue& queue, const Snapshot& point) {
  std::lock_guard lock(queue.lock);
  queue.NoteWork();
  if (log_ != nullptr && queue.in_order && !queue.unlogged) [[unlikely]]
    LogOrder(log_, host_, queue, point.clock);
  for (Epoch epoch : point.clock.epochs()) {
    if (!host_.Completed(epoch)) queue.waited.Join(epoch);
  }
  if (point.gates == 0) [[likely]]
    return;
  queue.gates = gates_.Join(queue.gates, gates_.Settle(point.gates, &queue.waited));
}

void Ordering::WaitSnapshot(const Snapshot& point) {
  for (Epoch epoch : point.clock.epochs()) {
    if (log_ != nullptr && !host_.Completed(epoch)) [[unlikely]]
      log_->HostWait(epoch);
    host_.Join(epoch);
  }
  JoinHost(point.gates);
}

void Ordering::WaitEvent(const Event& event) {
  if (!event.epoch.valid()) return;
  if (log_ != nullptr && !host_.Completed(event.epoch)) [[unlikely]]
    log_->HostWait(event.epoch);
  host_.Join(event.epoch);
  for (Epoch epoch : event.before.epochs()) host_.Join(epoch);
  JoinHost(event.gates);
}

void Ordering::WaitQueue(Queue& queue) {
  std::lock_guard lock(queue.lock);
  for (const Lane& lane : queue.lanes) {
    if (lane.tick == 0) continue;
    const Epoch last(lane.timeline, lane.tick);
    if (log_ != nullptr && !host_.Completed(last)) [[unlikely]]
      log_->HostWait(last);
    host_.Join(last);
  }
  for (Clock* clock : {&queue.waited, &queue.behind}) {
    for (Epoch epoch : clock->epochs()) host_.Join(epoch);
    clock->Clear();
  }
  // The gates of the queue have opened or failed, and order nothing any more.
  for (GateSet* gates : {&queue.gates, &queue.all_gates}) {
    if (*gates == 0) [[likely]]
      continue;
    JoinHost(*gates);
    if (!gates_.Closed(*gates)) *gates = 0;
  }
  if (queue.gates == 0 && queue.all_gates == 0)
    queue.waited_work.store(queue.work.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void Ordering::SignalUserEvent(Call& call, Event& event, int32_t status) {
  event.status.store(status < 0 ? status : 0, std::memory_order_release);
  if (event.waiters.load(std::memory_order_relaxed) != 0)
    waited_events_.fetch_sub(1, std::memory_order_relaxed);
  CheckOpened(call, gates_.Open(&event, 0, status < 0));
}

void Ordering::GateBehind(Queue& queue, Object& semaphore, uint64_t value) {
  std::lock_guard lock(queue.lock);
  queue.NoteWork();
  queue.gates = gates_.JoinValue(gates_.Settle(queue.gates, &queue.waited), &semaphore, value);
}

void Ordering::OpenGate(Call& call, const Object& semaphore, uint64_t value,
                        const Snapshot& point) {
  CheckOpened(call, gates_.Open(&semaphore, value, false, point.clock, point.gates));
}

void Ordering::SignalShared(Call& call, Object& semaphore, SharedSemaphore& state,
                            SignalList::Signal signal) {
  uint64_t gate = signal.value;
  const Snapshot point = signal.point;
  {
    std::lock_guard lock(state.lock);
    if (state.timeline) {
      state.signals.Add(std::move(signal));
    } else if (state.early_waits > state.late_signals) {
      gate = ++state.late_signals;
    } else {
      if (state.signals.pending()) state.signals.Take();
      state.signals.Add(std::move(signal));
      return;
    }
  }
  OpenGate(call, semaphore, gate, point);
}

void Ordering::WaitForShared(Call& call, Queue& queue, Object& semaphore, SharedSemaphore& state,
                             uint64_t value) {
  std::vector<Snapshot> points;
  uint64_t gate = 0;
  {
    std::lock_guard lock(state.lock);
    if (state.timeline) {
      if (!state.signals.PointsOf(value, &points)) gate = value;
    } else if (state.signals.pending()) {
      points.push_back(state.signals.Take().point);
    } else {
      gate = ++state.early_waits;
    }
  }
  if (gate != 0) {
    GateBehind(queue, semaphore, gate);
    // A signal between the look and the gate did not find the gate.
    bool came;
    {
      std::lock_guard lock(state.lock);
      came = state.timeline ? state.signals.PointsOf(value, &points) : state.late_signals >= gate;
    }
    if (!came) return;
    if (!state.timeline) return AbandonGate(call, semaphore, gate);  // its point is lost
    Snapshot reached;
    for (const Snapshot& point : points) JoinPoint(&reached, point);
    return OpenGate(call, semaphore, gate, reached);
  }
  Snapshot all;
  for (const Snapshot& point : points) JoinPoint(&all, point);
  OrderBehind(queue, all);
}

void Ordering::AbandonGate(Call& call, const Object& semaphore, uint64_t value) {
  CheckOpened(call, gates_.Open(&semaphore, value, true));
}

void Ordering::JoinHost(GateSet gates) {
  if (gates == 0) return;
  Clock learnt;
  gates_.Settle(gates, &learnt);
  for (Epoch epoch : learnt.epochs()) host_.Join(epoch);
}

}  // namespace gpusan
