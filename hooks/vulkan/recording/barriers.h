// Pipeline barriers and events in command buffers.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/recording/barrier_checks.h"
#include "hooks/vulkan/words/sync_masks.h"

namespace gpusan::vulkan {

// Records the part of a barrier that names an image. Also for other commands that contain barriers.
// `R`: Recorder or FastRecorder.
template <typename R>
[[gnu::always_inline]] inline RecordedResourceBarrier& RecordImageBarrier(
    R& recorder, Resource& image, const ImagePart& part, const GivenMasks& masks, Layout old_layout,
    Layout new_layout, uint32_t source_family = VK_QUEUE_FAMILY_IGNORED,
    uint32_t target_family = VK_QUEUE_FAMILY_IGNORED) {
  return recorder.template AppendWith<RecordedResourceBarrier>(
      part, &image, recorder.Scopes(masks), image.generation.load(std::memory_order_relaxed),
      old_layout, new_layout, source_family, target_family);
}
// Records an execution dependency and its global memory dependency.
void RecordBarrier(Recorder& recorder, const GivenMasks& masks);

// The stage masks of a barrier of synchronization1.
struct StageMasks {
  VkPipelineStageFlags source, target;
};
// The fast paths of commands with one barrier, which names an image and needs no check. Return the
// scope of the command buffer; nullptr, without side effects, if the call needs the slow path.
// `call`: by value, because the caller makes the real call in tail position.
[[gnu::noinline]] Scope* ImageBarrierFast(FastCall call, VkCommandBuffer commands,
                                          StageMasks stages, const VkImageMemoryBarrier& barrier);
[[gnu::noinline]] Scope* ImageBarrierFast(FastCall call, VkCommandBuffer commands,
                                          const VkImageMemoryBarrier2& barrier);

struct CmdPipelineBarrier {
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             VkPipelineStageFlags source_stages,
                                             VkPipelineStageFlags target_stages,
                                             VkDependencyFlags flags, uint32_t memory_count,
                                             const VkMemoryBarrier*, uint32_t buffer_count,
                                             const VkBufferMemoryBarrier*, uint32_t image_count,
                                             const VkImageMemoryBarrier* images) {
    if (image_count != 1 || (memory_count | buffer_count | (flags & kTransferStages)) != 0 ||
        images == nullptr) [[unlikely]]
      return false;
    call.scope = ImageBarrierFast(call, commands, {source_stages, target_stages}, *images);
    return call.scope != nullptr;
  }
  BeforeOf<PFN_vkCmdPipelineBarrier> Before;
};
struct CmdPipelineBarrier2 {
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             const VkDependencyInfo* info) {
    if (info == nullptr || info->imageMemoryBarrierCount != 1 ||
        (info->memoryBarrierCount | info->bufferMemoryBarrierCount) != 0 ||
        info->pImageMemoryBarriers == nullptr) [[unlikely]]
      return false;
    call.scope = ImageBarrierFast(call, commands, *info->pImageMemoryBarriers);
    return call.scope != nullptr;
  }
  BeforeOf<PFN_vkCmdPipelineBarrier2> Before;
};
struct CmdSetEvent {
  BeforeOf<PFN_vkCmdSetEvent> Before;
};
struct CmdSetEvent2 {
  BeforeOf<PFN_vkCmdSetEvent2> Before;
};
struct CmdResetEvent {
  BeforeOf<PFN_vkCmdResetEvent> Before;
};
struct CmdResetEvent2 {
  BeforeOf<PFN_vkCmdResetEvent2> Before;
};
struct CmdWaitEvents {
  BeforeOf<PFN_vkCmdWaitEvents> Before;
};
struct CmdWaitEvents2 {
  BeforeOf<PFN_vkCmdWaitEvents2> Before;
};

}  // namespace gpusan::vulkan
