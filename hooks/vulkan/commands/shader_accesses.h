// Records the accesses of shaders for draws and dispatches.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// Records the accesses of the bound pipeline's shaders through the bound descriptors: one record
// for each set, whose descriptors are read when it runs. Descriptors that may change until then, or
// whose access the render pass determines, are recorded one by one.
void RecordShaderUses(Recorder& recorder, VkPipelineBindPoint point);

}  // namespace gpusan::vulkan
