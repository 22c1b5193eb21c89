// A point in the order of commands that outlives the call which took it: a recorded event, a
// semaphore's signal.
#pragma once

#include "tracker/model/clock.h"

namespace gpusan {

using GateSet = uint32_t;  // pending_signals.h; 0: no gate

// Value type. Everything in `clock` happens before the point, and what `gates` will bring when they
// open.
struct Snapshot {
  Clock clock;
  GateSet gates = 0;
};

}  // namespace gpusan
