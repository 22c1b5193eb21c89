// Expands the stage and access masks of barriers (Vulkan 1.3 §7.1).
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

#include "tracker/scopes/scope.h"

namespace gpusan::vulkan {

// The masks of one barrier as the program gives them. The masks of synchronization1 are a subset of
// those of synchronization2.
struct GivenMasks {
  VkPipelineStageFlags2 source_stages = 0;
  VkAccessFlags2 source_access = 0;
  VkPipelineStageFlags2 target_stages = 0;
  VkAccessFlags2 target_access = 0;

  bool operator==(const GivenMasks&) const = default;
};

// Replaces groups of stages and accesses by their members, and adds the stages that the execution
// scopes include by the logical order of the pipeline.
ScopeBarrier Expand(const GivenMasks& masks);
// The stages of a semaphore wait, with the stages that follow them. A wait at all stages also
// precedes barriers whose first scope is empty (kWholeBatch): an ownership transfer or a layout
// transition from NONE or TOP_OF_PIPE follows such a wait.
uint64_t ExpandWait(VkPipelineStageFlags2 stages);
// The stages of a semaphore signal, with the stages that precede them; all bits for all stages.
uint64_t ExpandSignal(VkPipelineStageFlags2 stages);

bool IsWrite(VkAccessFlags2 access);

// Removes the members of groups that Expand has added: the bit of the group stays.
uint64_t WithoutMembers(uint64_t stages);

// Returns the stages of the mask that a queue family with these capabilities does not support
// (Vulkan 1.3 §7.1.2). Stages that are not known count as supported.
uint64_t UnsupportedStages(uint64_t stages, VkQueueFlags family);

// An access of a mask that no stage of another mask supports (Vulkan 1.3 §7.1.3).
struct UnsupportedAccess {
  uint64_t access = 0;    // 0: there is none
  const char* vuid = "";  // the number of the valid usage of synchronization2
};
// Stages that are not known count as supporting each access.
UnsupportedAccess FindUnsupportedAccess(uint64_t stages, uint64_t access);

// A stage that no access has: reached by waits at all stages, and in the first scope of every
// barrier. TOP_OF_PIPE is free for this, because Expand replaces that stage.
inline constexpr uint64_t kWholeBatch = VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;

// Bits that the oldest supported headers lack or declare for beta extensions only.
inline constexpr uint64_t kVideoEncodeStage = uint64_t{1} << 27;
inline constexpr uint64_t kVideoEncodeRead = uint64_t{1} << 37;
inline constexpr uint64_t kVideoEncodeWrite = uint64_t{1} << 38;
inline constexpr uint64_t kTileRead = uint64_t{1} << 51;
inline constexpr uint64_t kTileWrite = uint64_t{1} << 52;
inline constexpr uint64_t kDecompressionRead = uint64_t{1} << 55;
inline constexpr uint64_t kDecompressionWrite = uint64_t{1} << 56;
inline constexpr uint64_t kHeapReads = uint64_t{3} << 57;  // of descriptor heaps

// A stage of the layout transitions that a render pass makes before its first and after its last
// subpass: operations of the commands that begin and end it, and so among all commands, but in none
// of the stages with a name.
inline constexpr uint64_t kPassTransition = uint64_t{1} << 63;
// A stage of the layout transitions that the end of a render pass makes of attachments without a
// subpass. No access has it, and it is in the first scope of every barrier.
inline constexpr uint64_t kUnusedTransition = uint64_t{1} << 62;

inline constexpr uint64_t kAnyStage = ~uint64_t{0} & ~VK_PIPELINE_STAGE_2_HOST_BIT;

}  // namespace gpusan::vulkan
