// Tracker: snapshots of queues, waits for them, and gates.
#include "tracker/objects/command_log.h"
#include "tracker/tracker.h"

namespace gpusan {
namespace {

// Logs that the next command of the queue is ordered after `point`, without the epochs after which
// the queue is ordered already. The caller holds the queue's lock.
void LogOrder(CommandLog* log, const Queue& queue, const Clock& point) {
  const Lane& lane = queue.lanes.front();
  Clock news;
  for (Epoch epoch : point.epochs()) {
    if (epoch.timeline() != lane.timeline && !queue.waited.Covers(epoch)) news.Join(epoch);
  }
  log->Order(Epoch(lane.timeline, lane.tick + 1), news);
}

}  // namespace

Snapshot Tracker::Snap(Queue& queue) {
  Snapshot point;
  Snap(queue, &point);
  return point;
}

void Tracker::Snap(Queue& queue, Snapshot* point) {
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

void Tracker::TakePoint(Call& call, Queue& queue, Snapshot* point) {
  AccessOrigin origin;
  if (log_ != nullptr) [[unlikely]] {
    origin.call = &call.info();
    origin.site = call.site();
  }
  if (NextPlace(queue, &origin)) [[likely]] {
    point->clock.Clear();
    point->clock.Join(origin.epoch);
    point->gates = origin.gates;
    return;
  }
  Command command;
  Begin(call, command, &queue, {});
  Snap(queue, point);
}

void Tracker::JoinPoint(Snapshot* point, const Snapshot& other) {
  point->clock.Join(other.clock);
  if (other.gates != 0) point->gates = gates_.Join(point->gates, other.gates);
}

Snapshot Tracker::SnapAll() {
  Snapshot all;
  queues_.ForEach([&](Queue& queue) {
    if (!queue.live()) return;
    JoinPoint(&all, Snap(queue));
  });
  return all;
}

void Tracker::OrderBehind(Queue& queue, const Snapshot& point) {
  std::lock_guard lock(queue.lock);
  queue.NoteWork();
  if (log_ != nullptr && queue.in_order && !queue.unlogged) [[unlikely]]
    LogOrder(log_, queue, point.clock);
  for (Epoch epoch : point.clock.epochs()) {
    if (!host_.Completed(epoch)) queue.waited.Join(epoch);
  }
  if (point.gates == 0) [[likely]]
    return;
  queue.gates = gates_.Join(queue.gates, gates_.Settle(point.gates, &queue.waited));
}

void Tracker::WaitSnapshot(const Snapshot& point) {
  for (Epoch epoch : point.clock.epochs()) {
    if (log_ != nullptr && !host_.Completed(epoch)) [[unlikely]]
      log_->HostWait(epoch);
    host_.Join(epoch);
  }
  JoinHost(point.gates);
}

void Tracker::GateBehind(Queue& queue, Object& semaphore, uint64_t value) {
  std::lock_guard lock(queue.lock);
  queue.NoteWork();
  queue.gates = gates_.JoinValue(gates_.Settle(queue.gates, &queue.waited), &semaphore, value);
}

void Tracker::OpenGate(Call& call, const Object& semaphore, uint64_t value, const Snapshot& point) {
  JudgeOpened(call, gates_.Open(&semaphore, value, false, point.clock, point.gates));
}

void Tracker::AbandonGate(Call& call, const Object& semaphore, uint64_t value) {
  JudgeOpened(call, gates_.Open(&semaphore, value, true));
}

void Tracker::JoinHost(GateSet gates) {
  if (gates == 0) return;
  Clock learnt;
  gates_.Settle(gates, &learnt);
  for (Epoch epoch : learnt.epochs()) host_.Join(epoch);
}

}  // namespace gpusan
