// Secondary command buffers that a submitted primary command buffer executes.
#pragma once

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Adds findings about the secondary command buffers that the primary one executes: what makes it
// invalid, and what earlier submissions still execute. Those that may be submitted once become
// invalid.
void SubmitSecondaries(VkCall& call, CommandBufferState& primary);

}  // namespace gpusan::vulkan
