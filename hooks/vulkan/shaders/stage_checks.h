// Checks that the shaders of a graphics pipeline fit each other.
#pragma once

#include <memory>

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/spirv/spirv_reader.h"

namespace gpusan::vulkan {

struct StageOfDraw {
  VkShaderStageFlagBits stage;
  std::shared_ptr<const EntryPoint> entry;  // nullptr: not known
};
using StagesOfDraw = absl::InlinedVector<StageOfDraw, 5>;

// Adds a finding if a shader reads an input that the stage before does not have as an output. Sorts
// the stages. `fragments`: the fragment shader runs.
void CheckInterfaces(VkCall& call, VkPipeline pipeline, bool fragments, StagesOfDraw* stages);

}  // namespace gpusan::vulkan
