// What hooks know of a launch at a position of the order, for the texts of findings.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "tracker/model/clock.h"
#include "tracker/model/region.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/resource.h"

namespace gpusan {

struct LaunchDescription {
  const Kernel* kernel = nullptr;
  int64_t argument = -1;          // through which it accesses the memory; -1: not known
  std::string size;               // "4 x 1 x 1 blocks of 256 x 1 x 1 threads"; empty: not known
  const Object* queue = nullptr;  // nullptr: not known
};

// Describes the command at `epoch`, if it is a launch that hooks still remember. `accessed`: the
// bytes of the root of `resource` that it accesses. Returns false for all other commands.
using DescribeLaunch = bool (*)(Epoch epoch, const Resource& resource, const Region& accessed,
                                LaunchDescription* description);

// nullptr: no hooks remember launches. Set before the first intercepted call.
inline constinit std::atomic<DescribeLaunch> describe_launch{nullptr};

}  // namespace gpusan
