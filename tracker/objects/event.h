// Events: of one command, of the host, and those that are recorded again and again.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/clock.h"
#include "tracker/model/event_record.h"
#include "tracker/objects/object.h"

namespace gpusan {

struct Event : Object {
  Event* next_free = nullptr;
  Epoch epoch;   // of the command; invalid for user events
  Clock before;  // what the command was ordered behind when it was recorded
  uint32_t gates = 0;
  const CallInfo* call = nullptr;  // the command
  SiteId command_site = kUnknownSite;
  // User events: 1 = submitted (no status set), 0 = complete, < 0 = error. Commands: < 0 once known
  // to have failed.
  std::atomic<int32_t> status{1};
  std::atomic<uint32_t> waiters{
      0};  // commands that were enqueued behind a user event before its status was set
  SiteId first_waiter = kUnknownSite;
  const CallInfo* first_waiter_call = nullptr;
};

// An event that is recorded again and again, as CUDA's are (event_record.h).
struct RecordedEvent : Object {
  RecordedEvent* next_free = nullptr;
  EventRecord record;
  uint32_t native_flags = 0;
  // The hooks' own: what the last record went into instead of a queue, and its number; not owned.
  std::atomic<void*> native{nullptr};
  uint64_t native_id = 0;
};

}  // namespace gpusan
