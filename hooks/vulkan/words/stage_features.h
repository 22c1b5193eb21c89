// Pipeline stages that only devices with a feature may name (Vulkan 1.3 §7.1.2).
#pragma once

#include <cstdint>

namespace gpusan::vulkan {

// The stages of one feature, and the ends of the valid usages that they break without it: of masks
// of synchronization1, and of VkPipelineStageFlags2. nullptr: synchronization1 lacks the stage.
struct StageFeature {
  uint64_t stages;
  const char* vuid;
  const char* vuid2;
};
// Returns the first feature that the stages need; nullptr if they need none. `lacking`: the stages
// of a mask whose feature the device lacks (Features::lacking_stages).
const StageFeature* FindStageFeature(uint64_t lacking);

}  // namespace gpusan::vulkan
