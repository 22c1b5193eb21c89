// Rule event: the program launches an executable graph whose update has just failed.
#pragma once

#include <string>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct FailedUpdate {
  const Object* exec = nullptr;    // never nullptr
  const CallInfo* call = nullptr;  // the update; never nullptr
  SiteId site = kUnknownSite;
  int code = 0;
  const char* result = "";  // the name of the reason in the API
  const char* reason = "";  // the same in words
  // The call that created the first node which differs; nullptr: unknown.
  const CallInfo* node = nullptr;
  SiteId node_site = kUnknownSite;
};

void OnFailedUpdate(const FailedUpdate& update, Call& call);

}  // namespace gpusan::rules
