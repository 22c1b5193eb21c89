// The names of stages, accesses and barriers in texts for the program's developers: those of
// synchronization2 if the program has it, otherwise those of Vulkan 1.0. Thread-safe.
#pragma once

#include <cstdint>
#include <string>

#include "tracker/scopes/scope.h"

namespace gpusan::vulkan {

// States that a device of the program has the feature synchronization2.
void NoteSynchronization2();
bool UsesSynchronization2();

// "VK_PIPELINE_STAGE_2_COPY_BIT | ...", "VK_PIPELINE_STAGE_TRANSFER_BIT | ...". Bits that Vulkan
// 1.0 lacks become the bits that include them.
std::string StagesInText(uint64_t stages);
std::string AccessInText(uint64_t access);

// "from VK_PIPELINE_STAGE_TRANSFER_BIT to VK_PIPELINE_STAGE_HOST_BIT". A scope without stages gets
// the name that a program of Vulkan 1.0 gives it: TOP_OF_PIPE or BOTTOM_OF_PIPE.
std::string BarrierStagesInText(const ScopeBarrier& barrier);

// The masks of one barrier, as texts.
struct BarrierNames {
  std::string source_stages, source_access, target_stages, target_access;
};
// "vkCmdPipelineBarrier2 with VkImageMemoryBarrier2 {srcStageMask = ...}". `kind`: "Image",
// "Buffer", or "" for memory barriers.
std::string BarrierInText(const char* kind, const BarrierNames& names);

}  // namespace gpusan::vulkan
