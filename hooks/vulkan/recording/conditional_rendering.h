// Conditional rendering: the predicate that the device reads.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Drivers may read the predicate when the conditional rendering begins, or before each command in
// it, and a change in between leaves undefined which commands run: the begin counts as the read.
struct CmdBeginConditionalRendering {
  BeforeOf<PFN_vkCmdBeginConditionalRenderingEXT> Before;
};
// The predicate is named by its address. `info`: VkConditionalRenderingBeginInfo2EXT.
struct CmdBeginConditionalRendering2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
struct CmdEndConditionalRendering {
  BeforeOf<PFN_vkCmdEndConditionalRenderingEXT> Before;
};
// Adds a finding if conditional rendering is active when the recording ends.
void CheckNoCondition(VkCall& call, const CommandBufferState& state);

}  // namespace gpusan::vulkan
