// Finds the bytes of buffers that the shaders of pipelines access.
#pragma once

#include <atomic>
#include <cstdint>

#include "absl/types/span.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

// Whether a vertex or fragment shader of the process has addresses in its push constants. Becomes
// true with the first pipeline of such a shader. Command buffers that begin later keep the push
// constants of these stages.
inline constinit std::atomic<bool> draw_addresses_known{false};

// Whether the shaders of a module may access memory by addresses.
bool HasAddresses(absl::Span<const uint32_t> code);
// Sets `ranges` of a compute pipeline.
void AddRanges(VkCall& call, const VkPipelineShaderStageCreateInfo& stage, PipelineState* state);
// Sets `vertex_ranges`, `restarts` or `fragment_ranges` of a graphics pipeline, if the stage is a
// vertex or fragment shader.
void AddDrawRanges(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                   const VkPipelineShaderStageCreateInfo& stage, PipelineState* state);

}  // namespace gpusan::vulkan
