// The memory of one call site.
#pragma once

#include <cstdint>

#include "tracker/model/call_info.h"
#include "tracker/model/ids.h"
#include "tracker/objects/object.h"

namespace gpusan {

struct SiteUse {
  Api api = Api::kNone;
  SiteId site = kUnknownSite;
  ObjectKind kind = ObjectKind::kNone;  // of one of its resources
  const CallInfo* call = nullptr;       // the call at the site
  uint64_t bytes = 0;
  uint64_t count = 0;
};

}  // namespace gpusan
