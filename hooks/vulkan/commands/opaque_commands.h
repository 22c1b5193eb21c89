// Commands whose writes gpusan does not follow: the content of buffers is unknown after them.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CmdUnseen {
  template <typename... Arguments>
  void Before(VkCall& call, VkCommandBuffer commands, Arguments...) {
    if (CommandBufferState* state = StateOf(call, commands); state != nullptr)
      state->unseen_writes = true;
  }
};

}  // namespace gpusan::vulkan
