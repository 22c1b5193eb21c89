// Rule event: a pending command uses memory of a local variable of a function that has returned,
// or of a thread that has ended.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"

namespace gpusan::rules {

struct LeftStack {
  const Access* pending = nullptr;    // never nullptr; its region is a range of host addresses
  const Resource* storage = nullptr;  // the memory is the storage of this object; nullptr: of none
  bool thread_ended = false;          // with the thread; the call of the event is that of `pending`
};

void OnLeftStack(const LeftStack& use, Call& call);

}  // namespace gpusan::rules
