// The valid usage that an unusable handle breaks.
#pragma once

#include <string>
#include <utility>

#include "tracker/calls/call.h"

namespace gpusan::rules {

// Adds the valid usage of the argument, if the API has one, as a fact. "": the commands that the
// call submits or records use the object. `parent`: the object belongs to another device.
inline void AddHandleUsage(FindingBuilder& finding, const char* argument, bool parent,
                           const Call& call) {
  std::string vuid = call.words().HandleUsage(call.info().name, argument, parent);
  if (!vuid.empty()) finding.Fact("vuid", std::move(vuid));
}

}  // namespace gpusan::rules
