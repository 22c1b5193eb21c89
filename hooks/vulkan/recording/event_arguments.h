// Checks the stages and flags with which commands set, reset and wait for events.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// vkCmdSetEvent and vkCmdResetEvent.
void CheckEventStages(Recorder& recorder, const Object& event, uint64_t stages);
// vkCmdSetEvent2.
void CheckEventDependency(Recorder& recorder, const Object& event, const VkDependencyInfo& info);
// vkCmdWaitEvents2.
void CheckWaitFlags(Recorder& recorder, const Object& event, const VkDependencyInfo& info);
// A wait for the event at the source stages, inside of a render pass.
[[gnu::cold]] void CheckWaitInPass(Recorder& recorder, const Object& event, uint64_t stages);

// VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR, which the headers may lack: the command that sets the
// event has only the stages of the dependency.
inline constexpr VkDependencyFlags kAsymmetricEvent = 0x40;

}  // namespace gpusan::vulkan
