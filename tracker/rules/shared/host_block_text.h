// How findings name a host block.
#pragma once

#include <string>

#include "absl/strings/str_cat.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {

// "host block of 4 KiB", or "variable texels of 4 KiB".
inline std::string HostBlockText(const HostBlock& block, const Call& call) {
  const char* name = block.kind == HostBlockKind::kStatic
                         ? call.shadow().host_memory().StaticName(block.begin)
                         : nullptr;
  return absl::StrCat(name != nullptr ? "variable " : "host block", name != nullptr ? name : "",
                      " of ", BytesText(block.bytes));
}

}  // namespace gpusan::rules
