// Copies within one buffer or image whose regions overlap.
#pragma once

#include <vector>

#include "hooks/vulkan/call/call.h"
#include "tracker/objects/resource.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// What one region of a copy reads and writes in the same resource.
struct CopiedPart {
  Extent read, written;
};

// Reports a copy that reads a part of what it writes, also in another of its regions. `number`: of
// the valid usage "VUID-<command>-pRegions-<number>". Compares the first 256 regions.
[[gnu::noinline, gnu::cold]] void CheckOverlaps(VkCall& call, const Resource& resource,
                                                const std::vector<CopiedPart>& parts,
                                                const char* number);

}  // namespace gpusan::vulkan
