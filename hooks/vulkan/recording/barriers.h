// Pipeline barriers and events in command buffers.
#pragma once

#include "hooks/vulkan/objects/sync_masks.h"
#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// Records the part of a barrier that names an image. Also for other commands that contain barriers.
[[gnu::always_inline]] inline RecordedResourceBarrier& RecordImageBarrier(
    Recorder& recorder, Resource& image, const ImagePart& part, const GivenMasks& masks,
    Layout old_layout, Layout new_layout, uint32_t source_family = VK_QUEUE_FAMILY_IGNORED,
    uint32_t target_family = VK_QUEUE_FAMILY_IGNORED) {
  return recorder.AppendWith<RecordedResourceBarrier>(
      part, &image, recorder.Scopes(masks), image.generation.load(std::memory_order_relaxed),
      old_layout, new_layout, source_family, target_family);
}
// Records an execution dependency and its global memory dependency.
void RecordBarrier(Recorder& recorder, const GivenMasks& masks);

struct CmdPipelineBarrier {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags source_stages,
              VkPipelineStageFlags target_stages, VkDependencyFlags flags, uint32_t memory_count,
              const VkMemoryBarrier* memory, uint32_t buffer_count,
              const VkBufferMemoryBarrier* buffers, uint32_t image_count,
              const VkImageMemoryBarrier* images);
};
struct CmdPipelineBarrier2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkDependencyInfo* info);
};
struct CmdSetEvent {
  void Before(VkCall& call, VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags stages);
};
struct CmdSetEvent2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkEvent event, const VkDependencyInfo* info);
};
struct CmdResetEvent {
  void Before(VkCall& call, VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags stages);
};
struct CmdResetEvent2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags2 stages);
};
struct CmdWaitEvents {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count, const VkEvent* events,
              VkPipelineStageFlags source_stages, VkPipelineStageFlags target_stages,
              uint32_t memory_count, const VkMemoryBarrier* memory, uint32_t buffer_count,
              const VkBufferMemoryBarrier* buffers, uint32_t image_count,
              const VkImageMemoryBarrier* images);
};
struct CmdWaitEvents2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count, const VkEvent* events,
              const VkDependencyInfo* infos);
};

}  // namespace gpusan::vulkan
