// Checks the ranges that vkQueueBindSparse binds.
#pragma once

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// Adds findings for binds that name bytes behind the end of a buffer or of device memory.
void CheckSparseBinds(VkCall& call, const VkBindSparseInfo& info);

}  // namespace gpusan::vulkan
