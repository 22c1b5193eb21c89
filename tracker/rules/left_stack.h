// Rule event: a pending command uses memory of a local variable of a function that has returned.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/order/access.h"

namespace gpusan::rules {

struct LeftStack {
  const Access* pending = nullptr;  // never nullptr; its region is a range of host addresses
};

void OnLeftStack(const LeftStack& use, Call& call);

}  // namespace gpusan::rules
