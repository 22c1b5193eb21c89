// A point in the order of commands that outlives the call which took it: a recorded event, a
// semaphore's signal.
#pragma once

#include "tracker/clock.h"
#include "tracker/gates.h"

namespace gpusan {

// Value type. Everything in `clock` happens before the point, and what `gates` will bring when they
// open.
struct Snapshot {
  Clock clock;
  GateSet gates = 0;
};

}  // namespace gpusan
