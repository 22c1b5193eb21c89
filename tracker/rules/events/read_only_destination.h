// Rule event: a transfer would write to host memory that the program cannot write.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"

namespace gpusan::rules {

struct ReadOnlyDestination {
  const Side* destination = nullptr;  // host memory, not empty; never nullptr
};

void OnReadOnlyDestination(const ReadOnlyDestination& use, Call& call);

}  // namespace gpusan::rules
