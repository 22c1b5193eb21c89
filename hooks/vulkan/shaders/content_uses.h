// The images and buffers on whose content the results of a pipeline surely depend.
#pragma once

#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

// Sets PipelineBinding::content_used for a compute pipeline. `flow`: of its shader.
void NoteContentOfDispatch(const ValueFlow& flow, PipelineState* state);
// The same for a graphics pipeline. `flow`: of its fragment shader. Requires that the positions are
// constants, that no primitive is discarded, and that there is no depth or stencil attachment: then
// the draw is surely seen.
void NoteContentOfDraw(const ValueFlow& flow, const VkGraphicsPipelineCreateInfo& info,
                       PipelineState* state);

}  // namespace gpusan::vulkan
