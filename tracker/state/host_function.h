// A host function that the program enqueues to a queue. It runs after all earlier commands of the
// queue and before all later ones.
#pragma once

#include "tracker/state/ordering.h"

namespace gpusan {

// Value type.
class HostFunction {
 public:
  // Enqueues the function, which is ordered like a command.
  void Enqueue(Ordering& ordering, Call& call, Queue& queue) {
    before_ = ordering.Snap(queue);
    ordering.Begin(call, command_, &queue, {}, true, true);
  }
  // Call it when the driver calls the function. Records that the host has waited for all earlier
  // commands of the queue.
  void Start(Ordering& ordering) const { ordering.WaitSnapshot(before_); }
  const Command& command() const { return command_; }

 private:
  Snapshot before_;
  Command command_;
};

}  // namespace gpusan
