// Checks the binds of vkQueueBindSparse.
#pragma once

#include <vector>

#include "hooks/vulkan/call/call.h"
#include "tracker/objects/resource.h"

namespace gpusan::vulkan {

// Adds findings for binds that name bytes past the end of a buffer or of device memory. Returns
// the buffers, images and device memory that the queue uses while it binds.
std::vector<WeakRef<Resource>> CheckSparseBinds(VkCall& call, const VkBindSparseInfo& info);

}  // namespace gpusan::vulkan
