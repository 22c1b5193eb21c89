// The valid usages about the buffers and images that calls are given.
#pragma once

#include <string>
#include <string_view>

namespace gpusan::vulkan {

// The valid usage that the call breaks if the argument is a resource without memory; "" if it has
// none. `argument`: as in findings, such as "srcBuffer" or "pImageMemoryBarriers[].image".
std::string UnboundVuid(std::string_view call, std::string_view argument);
// The same for a resource that lacks the usage flag which the call needs.
std::string UsageVuid(std::string_view call, std::string_view argument);

}  // namespace gpusan::vulkan
