// A point in the order of commands that outlives the call that took it: a recorded event, the
// signal of a semaphore.
#pragma once

#include "tracker/model/clock.h"

namespace gpusan {

using GateSet = uint32_t;  // pending_signals.h; 0: no gate

// Value type. Everything in `clock` happens before the point, and so does everything that the gates
// in `gates` add when they open.
struct Snapshot {
  Clock clock;
  GateSet gates = 0;
};

}  // namespace gpusan
