// Checks that a graphics pipeline has the state that its subpass needs.
#pragma once

#include "hooks/vulkan/shaders/pipeline_features.h"

namespace gpusan::vulkan {

// Adds a finding for state that is missing, or that does not fit the attachments of the subpass.
// Precondition: the pipeline is not made of libraries, and its stages are not NULL. Thread-safe.
void CheckPipelineParts(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                        const ReadState& read);

}  // namespace gpusan::vulkan
