// Copies within one buffer or image whose regions overlap.
#pragma once

#include <vector>

#include "hooks/vulkan/call/call.h"
#include "tracker/objects/resource.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::vulkan {

// The parts of one resource that a region of a copy reads and writes.
struct CopiedPart {
  Extent read, written;
};

// Reports a copy that reads a part which it also writes, in the same or in another region.
// `number`: of the valid usage "VUID-<command>-pRegions-<number>". Compares the first 256 regions.
[[gnu::noinline, gnu::cold]] void CheckOverlaps(VkCall& call, const Resource& resource,
                                                const std::vector<CopiedPart>& parts,
                                                const char* number);

}  // namespace gpusan::vulkan
