// What stage and access masks of barriers mean, spelled out (Vulkan 1.3 §7.1).
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

#include "tracker/scopes/scope.h"

namespace gpusan::vulkan {

// The masks of one barrier as the program gives them; those of the first version are a part of
// those of the second.
struct GivenMasks {
  VkPipelineStageFlags2 source_stages = 0;
  VkAccessFlags2 source_access = 0;
  VkPipelineStageFlags2 target_stages = 0;
  VkAccessFlags2 target_access = 0;

  bool operator==(const GivenMasks&) const = default;
};

// With groups of stages and of accesses taken apart, and what the execution scopes include by the
// logical order of the pipeline.
ScopeBarrier Expand(const GivenMasks& masks);
// Stages of a semaphore's wait, with those that come later.
uint64_t ExpandTarget(VkPipelineStageFlags2 stages);

bool IsWrite(VkAccessFlags2 access);

inline constexpr uint64_t kAnyStage = ~uint64_t{0} & ~VK_PIPELINE_STAGE_2_HOST_BIT;

}  // namespace gpusan::vulkan
