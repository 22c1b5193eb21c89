// Skips the texts of findings that are only counted.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/model/repeated_findings.h"

namespace gpusan::rules {

// Returns whether a finding with the key was counted, so that the check must not add it. Otherwise
// the check adds a finding with this severity, and with the call, the site and the parties of the
// key, in the same order.
inline bool CountedAsRepeat(const FindingKey& key, Severity severity, Call& call) {
  RepeatCounter* counter = TheRepeatCounter();
  if (counter == nullptr || !counter->CountRepeat(key)) return false;
  if (severity == Severity::kError) call.SetExplained();
  return true;
}

}  // namespace gpusan::rules
