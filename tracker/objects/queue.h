// Queues and streams: the timelines of their commands, and what their later commands wait for.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "tracker/model/clock.h"
#include "tracker/objects/object.h"
#include "tracker/order/busy_queues.h"
#include "tracker/order/command_run.h"

namespace gpusan {

// One totally ordered sequence of commands: all of an in-order queue, or a lane of an out-of-order
// one.
struct Lane {
  TimelineId timeline = 0;
  uint64_t tick = 0;
};

class StreamGroup;

struct Queue : Object {
  Queue* next_free = nullptr;
  void* native = nullptr;                  // the hooks' own part; not owned
  StreamGroup* group = nullptr;            // that it belongs to (stream_group.h)
  std::atomic<uint64_t> group_version{0};  // of the group, up to which it is ordered behind
  std::atomic<bool> group_news{false};     // has commands that the group's first has not joined
  // Where it is listed while the host has not waited for all of it; nullptr: nowhere. Both under
  // the lock.
  BusyQueues* busy = nullptr;
  bool listed = false;
  bool in_order = true;
  bool unlogged = false;  // whoever enqueues tells the command log
  CommandRun run;         // the command log's; under the lock
  uintptr_t device = 0;
  Clock waited;  // what every later command of the queue is ordered behind, beyond its own lanes
  Clock behind;  // what any command so far was ordered behind; only out-of-order queues
  uint32_t gates = 0;          // unsignalled user events in front of every later command
  uint32_t gates_version = 0;  // of Gates, at which `gates` was settled last
  uint32_t all_gates = 0;      // in front of any command so far; only out-of-order queues
  std::vector<Lane> lanes;     // exactly one when in order
  // Grows with everything that a wait of the host has to join; written under the lock.
  std::atomic<uint32_t> work{0};
  std::atomic<uint32_t> waited_work{0};  // as far as the host has waited

  // The host has waited for everything in it: another wait would change nothing. Without the lock.
  bool idle() const {
    return work.load(std::memory_order_acquire) == waited_work.load(std::memory_order_relaxed);
  }
  // Under the lock.
  void NoteWork() {
    work.store(work.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (!listed && busy != nullptr) [[unlikely]]
      List();
  }
  void List() {
    listed = true;
    busy->Add(this);
  }
  // These take the lock.
  void ListIn(BusyQueues* queues) {
    std::lock_guard guard(lock);
    if (listed) busy->Remove(this);
    listed = false;
    busy = queues;
    if (busy != nullptr && !idle()) List();
  }
  void Taken() {  // out of the list, by somebody who waits for it now
    std::lock_guard guard(lock);
    listed = false;
  }
  void ListUnlessIdle() {
    if (idle()) [[likely]]
      return;
    std::lock_guard guard(lock);
    if (!listed && busy != nullptr) List();
  }
};

}  // namespace gpusan
