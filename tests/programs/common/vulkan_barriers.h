// Barriers and dependencies, as single calls.
#pragma once

#include "common/vulkan.h"

// Records a barrier of all memory in `commands`: what `source_stages` did by `source_accesses` comes
// before what `target_stages` do by `target_accesses`.
[[maybe_unused]] static void MemoryBarrier(VkPipelineStageFlags source_stages,
                                           VkAccessFlags source_accesses,
                                           VkPipelineStageFlags target_stages,
                                           VkAccessFlags target_accesses) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = source_accesses;
  barrier.dstAccessMask = target_accesses;
  vkCmdPipelineBarrier(commands, source_stages, target_stages, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
}

// Of subpass 1, which reads by fragment shaders as input attachments what subpass 0 draws.
[[maybe_unused]] static VkSubpassDependency InputDependency(VkDependencyFlags flags = 0) {
  VkSubpassDependency dependency = {};
  dependency.srcSubpass = 0;
  dependency.dstSubpass = 1;
  dependency.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  dependency.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  dependency.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  dependency.dependencyFlags = flags;
  return dependency;
}
