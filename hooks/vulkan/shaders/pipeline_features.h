// Checks of the state of graphics pipelines against the features of the device, and of the
// constants of pipelines.
#pragma once

#include "hooks/vulkan/call/call.h"

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
// Adds a finding for a specialization constant whose value is not in the data. Thread-safe.
void CheckSpecialization(VkCall& call, const VkSpecializationInfo& info);

}  // namespace gpusan::vulkan
