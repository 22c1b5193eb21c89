// Push constants: the ranges that commands write, and whether any were written before a shader
// reads them.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

struct CmdPushConstants {
  // A write to the range that was written last.
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             VkPipelineLayout layout, VkShaderStageFlags stages,
                                             uint32_t offset, uint32_t size, const void* values) {
    CommandBufferState* state = FastState(commands);
    const PushedRange range{HandleOf(layout), stages, offset, size};
    if (state == nullptr || values == nullptr || state->bindings.pushed != range) [[unlikely]]
      return false;
    state->bindings.KeepPushed(range, values);
    --state->fast_left;
    call.scope = state->scope;
    return true;
  }
  BeforeOf<PFN_vkCmdPushConstants> Before;
};
// `info`: VkPushConstantsInfo. Its range is not checked.
struct CmdPushConstants2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
// gpusan does not know which push constants it writes.
struct CmdPushData {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};

}  // namespace gpusan::vulkan
