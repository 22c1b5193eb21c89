// Checks of the state that draws need.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/needed_state.h"

namespace gpusan::vulkan {

// Adds a finding if the draw needs state of `draw` that no command has set. `object`: the pipeline,
// or the command buffer if shader objects are bound.
void CheckUnsetState(Recorder& recorder, const Object& object, const DrawState& draw);
// Adds findings for the bound shader objects. Precondition: no pipeline is bound.
void CheckShaders(Recorder& recorder);

}  // namespace gpusan::vulkan
