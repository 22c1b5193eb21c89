// Findings about calls that exceed what their device has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// The functions below add a finding about a call on its device. `vuid`: the valid usage, without
// "VUID-". Thread-safe.

// The call is given `given`, which needs a feature that the program has not enabled.
[[gnu::cold]] void ReportFeature(VkCall& call, std::string_view given, std::string_view feature,
                                 std::string vuid);
// The call is given `given`, which exceeds a limit. `given`: a text such as "the size 8".
[[gnu::cold]] void ReportLimit(VkCall& call, std::string_view given, std::string_view limit,
                               uint64_t most, std::string vuid);

}  // namespace gpusan::vulkan
