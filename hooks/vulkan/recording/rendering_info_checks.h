// Checks the attachments with which dynamic rendering begins, against their images and each other.
#pragma once

#include <vulkan/vulkan_core.h>

#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {

// Unknown views are not checked.
void CheckRenderingInfo(VkCall& call, const VkRenderingInfo& info);

}  // namespace gpusan::vulkan
