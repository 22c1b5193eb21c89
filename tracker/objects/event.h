// Events of one command, user events (signalled by the host), and events that can be recorded
// repeatedly.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/clock.h"
#include "tracker/model/event_record.h"
#include "tracker/objects/object.h"

namespace gpusan {

struct Event : Object {
  Event* next_free = nullptr;
  Epoch epoch;   // the command; invalid for user events
  Clock before;  // the clock of the command
  uint32_t gates = 0;
  const CallInfo* call = nullptr;  // the call that enqueued the command
  SiteId command_site = kUnknownSite;
  // User events: 1 = submitted (no status set), 0 = complete, < 0 = error. Events of commands: < 0
  // after gpusan learned that the command failed.
  std::atomic<int32_t> status{1};
  // The number of commands that wait for this user event and were enqueued before its status was
  // set.
  std::atomic<uint32_t> waiters{0};
  SiteId first_waiter = kUnknownSite;
  const CallInfo* first_waiter_call = nullptr;
};

// An event that can be recorded repeatedly, such as a CUDA event (event_record.h).
struct RecordedEvent : Object {
  RecordedEvent* next_free = nullptr;
  EventRecord record;
  uint32_t native_flags = 0;
  // For the hooks: set if the last record was into another object (such as a captured graph) and
  // not into a queue. The object, not owned, and its number.
  std::atomic<void*> native{nullptr};
  uint64_t native_id = 0;
};

}  // namespace gpusan
