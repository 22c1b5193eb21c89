// The valid usages of calls that need bound memory.
#pragma once

#include <string_view>

namespace gpusan::vulkan {

// The valid usage that the call breaks if the argument is a resource without memory; "" if it has
// none. `argument`: as in findings, such as "srcBuffer" or "pImageMemoryBarriers[].image".
const char* UnboundVuid(std::string_view call, std::string_view argument);

}  // namespace gpusan::vulkan
