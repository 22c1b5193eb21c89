// Data of the hooks about a launch at a position of the order, for the texts of findings.
#pragma once

#include <atomic>
#include <string>

#include "tracker/model/clock.h"
#include "tracker/objects/kernel.h"

namespace gpusan {

class Call;

struct LaunchDescription {
  const Kernel* kernel = nullptr;
  std::string size;               // "4 x 1 x 1 blocks of 256 x 1 x 1 threads"; empty: not known
  const Object* queue = nullptr;  // nullptr: not known
};

// Describes the command at `epoch`, if it is a launch that hooks still remember. `call`: the call
// that is being checked. Leaves the description of all other commands empty.
using DescribeLaunch = void (*)(Call& call, Epoch epoch, LaunchDescription* description);

// By Api; nullptr: its hooks remember no launches. Set before the first launch.
inline constinit std::atomic<DescribeLaunch> describe_launch[kApiCount] = {};

}  // namespace gpusan
