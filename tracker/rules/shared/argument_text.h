// The name of a kernel's argument in findings.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "tracker/objects/kernel.h"

namespace gpusan::rules {

// Returns "argument 2 (out)", or "argument 2" if the name of the parameter is not known.
inline std::string ArgumentText(const Kernel& kernel, uint64_t index) {
  const bool named = index < kernel.argument_names.size() && !kernel.argument_names[index].empty();
  return absl::StrCat("argument ", index,
                      named ? absl::StrCat(" (", kernel.argument_names[index], ")") : "");
}

}  // namespace gpusan::rules
