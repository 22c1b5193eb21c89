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
  Clock before;  // clock of the command when it was recorded
  uint32_t gates = 0;
  const CallInfo* call = nullptr;  // the call that enqueued the command
  SiteId command_site = kUnknownSite;
  // User events: 1 = submitted (no status set), 0 = complete, < 0 = error. Commands: < 0 once the
  // failure is known.
  std::atomic<int32_t> status{1};
  // Commands that were enqueued after a user event before its status was set.
  std::atomic<uint32_t> waiters{0};
  SiteId first_waiter = kUnknownSite;
  const CallInfo* first_waiter_call = nullptr;
};

// An event that can be recorded repeatedly, such as a CUDA event (event_record.h).
struct RecordedEvent : Object {
  RecordedEvent* next_free = nullptr;
  EventRecord record;
  uint32_t native_flags = 0;
  // For the hooks: the object that the last record went into instead of a queue, and its number.
  // Not owned.
  std::atomic<void*> native{nullptr};
  uint64_t native_id = 0;
};

}  // namespace gpusan
