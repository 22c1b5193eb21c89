// Dynamic renderings that are suspended and resumed in the command buffers of a batch.
#pragma once

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/objects/batch.h"

namespace gpusan::vulkan {

// Adds a finding if a rendering is suspended in the batch and not resumed, or the reverse, or if a
// command is between the two parts.
// Precondition: all command buffers of the batch are known.
void CheckRenderings(VkCall& call, const Batch& batch);

}  // namespace gpusan::vulkan
