// The commands that set dynamic state. Only whether they were recorded is kept, not the values.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"
#include "hooks/vulkan/shaders/needed_state.h"

namespace gpusan::vulkan {

// The handler of a command that sets the states kBits (bits of DynamicStateBit).
template <uint32_t kBits>
struct SetsState {
  template <typename... Arguments>
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             Arguments...) {
    CommandBufferState* state = FastState(commands);
    if (state == nullptr) [[unlikely]]
      return false;
    --state->fast_left;
    state->bindings.set_state |= kBits;
    call.scope = state->scope;
    return true;
  }
  template <typename... Arguments>
  void Before(VkCall& call, VkCommandBuffer commands, Arguments...) {
    if (CommandBufferState* state = StateOf(call, commands); state != nullptr)
      state->bindings.set_state |= kBits;
  }
};

}  // namespace gpusan::vulkan
