// A function of the program that runs within a queue: behind what is before it, in front of what
// comes later.
#pragma once

#include "tracker/tracker.h"

namespace gpusan {

// Value type.
class HostFunction {
 public:
  // Takes the function's place in the queue, which is that of a command.
  void Enqueue(Tracker& tracker, Call& call, Queue& queue) {
    before_ = tracker.Snap(queue);
    tracker.Begin(call, command_, &queue, {}, true, true);
  }
  // The driver has called it: all that was before it is complete, and the host knows.
  void Start(Tracker& tracker) const { tracker.WaitSnapshot(before_); }
  const Command& command() const { return command_; }

 private:
  Snapshot before_;
  Command command_;
};

}  // namespace gpusan
