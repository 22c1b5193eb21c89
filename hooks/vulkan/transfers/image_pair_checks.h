// Checks that two images fit a command that copies, blits or resolves from one to the other.
#pragma once

#include "hooks/vulkan/call/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::vulkan {

// The functions add a finding if the formats or sample counts do not fit. They do not check images
// of several aspects or planes.

void CheckCopy(VkCall& call, const Resource& source, const Resource& destination);
void CheckBlit(VkCall& call, const Resource& source, const Resource& destination, VkFilter filter);
void CheckResolve(VkCall& call, const Resource& source, const Resource& destination);

}  // namespace gpusan::vulkan
