// Rule event: a command waits for an event of another queue whose commands the program has not
// flushed.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/objects/queue.h"

namespace gpusan::rules {

struct UnflushedWait {
  const Event* event = nullptr;  // never nullptr
  const Queue* queue = nullptr;  // of the event's command; never nullptr
};

void OnUnflushedWait(const UnflushedWait& wait, Call& call);

}  // namespace gpusan::rules
