// Records the accesses of shaders for draws and dispatches.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// Records what the shaders of the bound pipeline do with the bound descriptors: a record for a set,
// and the descriptors are looked at when it runs. Those that may change until then, or whose use is
// up to the render pass, are recorded one by one.
void RecordShaderUses(Recorder& recorder, VkPipelineBindPoint point);

}  // namespace gpusan::vulkan
