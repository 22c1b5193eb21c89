// Names of two commands in a text, also where both are calls of the same function.
#pragma once

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"

namespace gpusan::rules {

struct PairNames {
  PairNames(const char* earlier_call, const char* later_call)
      : same(std::strcmp(earlier_call, later_call) == 0),
        earlier(same ? absl::StrCat("the earlier ", earlier_call) : earlier_call),
        later(same ? absl::StrCat("the later ", later_call) : later_call) {}

  const bool same;
  const std::string earlier, later;
};

}  // namespace gpusan::rules
