// The begin of a sentence about an object that a call uses.
#pragma once

#include <string>

#include "absl/strings/str_cat.h"
#include "tracker/calls/call.h"

namespace gpusan::rules {

// "<argument> is "; "<call> uses " if `argument` is "".
inline std::string SubjectText(const char* argument, const Call& call) {
  if (*argument == 0) return absl::StrCat(call.info().name, " uses ");
  return absl::StrCat(argument, " is ");
}

}  // namespace gpusan::rules
