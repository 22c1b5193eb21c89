// Streams that one of them, the legacy stream, joins without being asked: a command of it comes
// after everything in all blocking streams before, and their later commands come after it. Streams
// that are not in the group are exempt.
#pragma once

#include <vector>

#include "tracker/spin_lock.h"
#include "tracker/tracker.h"

namespace gpusan {

// Thread-safe. Queues are not owned and must be taken out before they are released.
class StreamGroup {
 public:
  StreamGroup(Tracker& tracker, Queue* legacy) : tracker_(tracker), legacy_(legacy) {}

  void Add(Queue* blocking);
  void Remove(Queue* blocking);

  // Before a command is enqueued (Tracker::Begin) or an event recorded. Nothing for streams that
  // are not of the group.
  void Join(Queue& queue);
  // After the host has waited for a stream: the legacy stream stands for all of the group.
  void Wait(Queue& queue);

 private:
  std::vector<Queue*> Members();
  Tracker& tracker_;
  Queue* const legacy_;
  SpinLock lock_;
  std::vector<Queue*> blocking_;
};

}  // namespace gpusan
