// Rule event: a semaphore is signaled although a presentation may still wait for it.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/object.h"

namespace gpusan::rules {

struct PresentWait {
  const Object* semaphore = nullptr;    // never nullptr
  const CallInfo* presented = nullptr;  // the presentation; never nullptr
  SiteId site = kUnknownSite;           // of the presentation
  uint32_t image = 0;                   // its image, by index
  const char* vuid = "";                // the valid usage of the signal
};

void OnPresentWait(const PresentWait& wait, Call& call);

}  // namespace gpusan::rules
