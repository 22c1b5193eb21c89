// Queues and streams: the timelines of their commands, and the clocks that order later commands.
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

// One totally ordered sequence of commands: an in-order queue, or a lane of an out-of-order queue.
struct Lane {
  TimelineId timeline = 0;
  uint64_t tick = 0;
};

class StreamGroup;

struct Queue : Object {
  Queue* next_free = nullptr;
  void* native = nullptr;                  // data of the hooks; not owned
  StreamGroup* group = nullptr;            // the group of the stream (stream_group.h)
  std::atomic<uint64_t> group_version{0};  // version of the group that the queue is ordered after
  std::atomic<bool> group_news{false};     // has commands that the legacy stream has not joined
  // The list that contains the queue while the host has not waited for all its work; nullptr: no
  // list. `lock` guards `busy` and `listed`.
  BusyQueues* busy = nullptr;
  bool listed = false;
  bool in_order = true;
  bool unlogged = false;  // the code that enqueues writes the command log entries itself
  CommandRun run;         // for the command log; guarded by `lock`
  uintptr_t device = 0;
  Clock waited;        // happens before every later command of the queue; without its own lanes
  Clock behind;        // joined clocks of all commands so far; only out-of-order queues
  uint32_t gates = 0;  // gates in front of every later command
  uint32_t gates_version = 0;  // Gates::version() at the last Gates::Settle() of `gates`
  uint32_t all_gates = 0;      // gates in front of any command so far; only out-of-order queues
  std::vector<Lane> lanes;     // exactly one if `in_order`
  // Incremented for all work that a host wait has to join; written under `lock`.
  std::atomic<uint32_t> work{0};
  std::atomic<uint32_t> waited_work{0};  // the value of `work` that the host has waited for

  // True if the host has waited for all work: another wait has no effect. Needs no lock.
  bool idle() const {
    return work.load(std::memory_order_acquire) == waited_work.load(std::memory_order_relaxed);
  }
  // Counts new work and lists the queue as busy. Requires: `lock` is held.
  void NoteWork() {
    work.store(work.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    if (!listed && busy != nullptr) [[unlikely]]
      List();
  }
  void List() {
    listed = true;
    busy->Add(this);
  }
  // Moves the queue to another list. Takes `lock`.
  void ListIn(BusyQueues* queues) {
    std::lock_guard guard(lock);
    if (listed) busy->Remove(this);
    listed = false;
    busy = queues;
    if (busy != nullptr && !idle()) List();
  }
  // Marks the queue as removed from its list by a caller that now waits for it. Takes `lock`.
  void Taken() {
    std::lock_guard guard(lock);
    listed = false;
  }
  // Takes `lock` if the queue is not idle.
  void ListUnlessIdle() {
    if (idle()) [[likely]]
      return;
    std::lock_guard guard(lock);
    if (!listed && busy != nullptr) List();
  }
};

}  // namespace gpusan
