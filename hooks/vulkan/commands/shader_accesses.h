// Records the accesses of shaders for draws and dispatches.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Records the accesses of the bound pipeline's shaders through the bound descriptors: one record
// for each set, whose descriptors are read when it runs. Descriptors that may change until then, or
// whose access the render pass determines, are recorded one by one.
void RecordShaderUses(Recorder& recorder, VkPipelineBindPoint point);

// Whether conditional rendering may skip the command; a secondary command buffer may inherit it.
inline bool MayBeSkipped(Recorder& recorder) {
  const CommandBufferState& state = recorder.state();
  return state.condition != CommandBufferState::Condition::kNone ||
         (state.secondary && (recorder.call().device().features.lacking_stages &
                              VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT) == 0);
}

}  // namespace gpusan::vulkan
