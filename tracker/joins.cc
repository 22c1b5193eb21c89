// Tracker: points in the order are taken, waited for, and reached.
#include "tracker/tracker.h"

namespace gpusan {

Snapshot Tracker::Snap(Queue& queue) {
  std::lock_guard lock(queue.lock);
  Snapshot point;
  JoinEverything(queue, &point.clock);
  point.gates = gates_.Join(gates_.Settle(queue.gates, &point.clock),
                            gates_.Settle(queue.all_gates, &point.clock));
  return point;
}

Snapshot Tracker::SnapAll() {
  Snapshot all;
  queues_.ForEach([&](Queue& queue) {
    if (!queue.live()) return;
    const Snapshot point = Snap(queue);
    all.clock.Join(point.clock);
    all.gates = gates_.Join(all.gates, point.gates);
  });
  return all;
}

void Tracker::OrderBehind(Queue& queue, const Snapshot& point) {
  std::lock_guard lock(queue.lock);
  for (Epoch epoch : point.clock.epochs()) {
    if (!host_.Completed(epoch)) queue.waited.Join(epoch);
  }
  queue.gates = gates_.Join(queue.gates, gates_.Settle(point.gates, &queue.waited));
}

void Tracker::WaitSnapshot(const Snapshot& point) {
  for (Epoch epoch : point.clock.epochs()) host_.Join(epoch);
  JoinHost(point.gates);
}

void Tracker::GateBehind(Queue& queue, Object& semaphore, uint64_t value) {
  std::lock_guard lock(queue.lock);
  queue.gates = gates_.JoinValue(gates_.Settle(queue.gates, &queue.waited), &semaphore, value);
}

void Tracker::OpenGate(Call& call, const Object& semaphore, uint64_t value, const Snapshot& point) {
  JudgeOpened(call, gates_.Open(&semaphore, value, false, point.clock, point.gates));
}

void Tracker::JoinHost(GateSet gates) {
  if (gates == 0) return;
  Clock learnt;
  gates_.Settle(gates, &learnt);
  for (Epoch epoch : learnt.epochs()) host_.Join(epoch);
}

}  // namespace gpusan
