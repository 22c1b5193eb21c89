// Checks of the state of graphics pipelines against the features of the device, and of the
// constants of pipelines.
#pragma once

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/spirv/spirv_reader.h"

namespace gpusan::vulkan {

// The state of a pipeline that the driver reads. The pointers to other state may be invalid.
struct ReadState {
  bool rasterization = false;  // primitives are surely rasterized
  bool color = false;          // there is surely a color attachment
  bool depth = false;          // there is surely a depth or stencil attachment
};

// Adds a finding for state that needs a feature which the program has not enabled. Precondition:
// the pipeline is not made of libraries. Thread-safe.
void CheckPipelineFeatures(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                           const ReadState& read);
// Adds a finding for a specialization constant whose value is not in the data, or has another size
// than the shader declares. `module`: nullptr if the shader is not known. Thread-safe.
void CheckSpecialization(VkCall& call, const VkSpecializationInfo& info,
                         const ShaderModule* module);

}  // namespace gpusan::vulkan
