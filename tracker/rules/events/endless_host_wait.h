// Rule event: a wait of the host, without a time-out, that nothing ends.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/object.h"

namespace gpusan::rules {

struct EndlessHostWait {
  // A fence, a timeline semaphore or a query pool; never nullptr.
  const Object* object = nullptr;
  uint64_t value = 0;                // of a semaphore; the query of a pool
  const CallInfo* waiter = nullptr;  // never nullptr
  const CallInfo* reset = nullptr;   // the last reset of the fence; nullptr: none
  SiteId reset_site = kUnknownSite;
  // The process ends; otherwise the wait begins, and the call is the waiter.
  bool at_end = false;
  SiteId site = kUnknownSite;  // of the waiter, if `at_end`
  int32_t thread = 0;          // as gettid(), if `at_end`
};

void OnEndlessHostWait(const EndlessHostWait& wait, Call& call);

}  // namespace gpusan::rules
