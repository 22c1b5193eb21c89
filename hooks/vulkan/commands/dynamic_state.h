// The commands that set dynamic state. Of the values only those that decide whether draws need
// other state are kept.
#pragma once

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/state_features.h"
#include "hooks/vulkan/commands/dynamic_values.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/needed_state.h"

namespace gpusan::vulkan {

// Adds a finding: the command sets dynamic state without the feature that it needs. `states`: bits.
[[gnu::noinline, gnu::cold]] void ReportRefusedState(VkCall& call, uint64_t states);

// The handler of a command that sets the states kBits (bits of dynamic_states.h). `kOnOf`: returns
// the part of kValues that is on, from the arguments of the command after the command buffer.
template <uint64_t kBits, uint64_t kValues, auto kOnOf>
struct SetsValue {
  template <typename... Arguments>
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             Arguments... arguments) {
    CommandBufferState* state = FastState(commands);
    if (state == nullptr || IsRefused(*state)) [[unlikely]]
      return false;
    --state->fast_left;
    Set(state, arguments...);
    call.scope = state->scope;
    return true;
  }
  template <typename... Arguments>
  void Before(VkCall& call, VkCommandBuffer commands, Arguments... arguments) {
    CommandBufferState* state = RecordedStateOf(call, commands);
    if (state == nullptr) return;
    if (IsRefused(*state)) [[unlikely]]
      ReportRefusedState(call, kBits & state->bindings.refused_state);
    Set(state, arguments...);
  }

 private:
  static bool IsRefused(const CommandBufferState& state) {
    if constexpr ((kBits & kFeatureStates) == 0) {
      return false;
    } else {
      return (state.bindings.refused_state & kBits) != 0;
    }
  }
  template <typename... Arguments>
  [[gnu::always_inline]] static void Set(CommandBufferState* state, Arguments... arguments) {
    Bindings& bindings = state->bindings;
    bindings.set_state |= kBits;
    if constexpr (kValues != 0)
      bindings.on_state = (bindings.on_state & ~kValues) | kOnOf(arguments...);
  }
};

// The handler of a command whose values are not kept.
template <uint64_t kBits>
using SetsState = SetsValue<kBits, 0, 0>;
// The handler of a command that switches a test on or off, or sets an enumerator or flags that are
// off if 0. kOn: the only value that is on; 0: all but 0.
template <uint64_t kBit, uint32_t kOn = 0>
using SetsSwitch = SetsValue<kBit, kBit, [](auto value) {
  return (kOn == 0 ? value != 0 : static_cast<uint32_t>(value) == kOn) ? kBit : uint64_t{0};
}>;

// The handler of a command that sets kBits and whose last arguments are viewports or scissors.
template <uint64_t kBits>
struct SetsChecked : SetsState<kBits> {
  using Base = SetsState<kBits>;
  template <typename T>
  static bool TryFast(FastCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
                      const T* values) {
    return ArePlain(count, values) && (uint64_t{first} + count <= 1 || MayBeSeveral(commands)) &&
           Base::TryFast(call, commands, first, count, values);
  }
  template <typename T>
  static bool TryFast(FastCall& call, VkCommandBuffer commands, uint32_t count, const T* values) {
    return ArePlain(count, values) && (count <= 1 || MayBeSeveral(commands)) &&
           Base::TryFast(call, commands, count, values);
  }
  template <typename T>
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const T* values) {
    CheckIndices(call, first, count);
    Check(call, commands, count, values);
    Base::Before(call, commands, first, count, values);
  }
  template <typename T>
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count, const T* values) {
    CheckIndices(call, 0, count);
    Check(call, commands, count, values);
    Base::Before(call, commands, count, values);
  }

 private:
  [[gnu::noinline]] static bool MayBeSeveral(VkCommandBuffer commands) {
    const CommandBufferState* state = FastState(commands);
    return state != nullptr && state->bindings.several_viewports;
  }
  template <typename T>
  static void Check(VkCall& call, VkCommandBuffer commands, uint32_t count, const T* values) {
    if (ArePlain(count, values)) [[likely]]
      return;
    if (const CommandBufferState* state = StateOf(call, commands); state != nullptr)
      CheckValues(call, *state, count, values);
  }
};

// The same with a number of them. kCount: where it is kept.
template <uint64_t kBits, uint32_t Bindings::*kCount>
struct SetsCounted : SetsChecked<kBits> {
  using Base = SetsChecked<kBits>;
  template <typename T>
  static bool TryFast(FastCall& call, VkCommandBuffer commands, uint32_t count, const T* values) {
    if (!Base::TryFast(call, commands, count, values)) return false;
    Keep(&last_command_buffer->bindings, count);
    return true;
  }
  template <typename T>
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count, const T* values) {
    CommandBufferState* state = RecordedStateOf(call, commands);
    if (state == nullptr) return;
    Base::Before(call, commands, count, values);
    Keep(&state->bindings, count);
  }

 private:
  static void Keep(Bindings* bindings, uint32_t count) {
    bindings->*kCount = count;
    const uint32_t viewports = bindings->viewports, scissors = bindings->scissors;
    const bool same = viewports == scissors || viewports == 0 || scissors == 0;
    bindings->set_state =
        same ? bindings->set_state | kSameCounts : bindings->set_state & ~kSameCounts;
  }
};

struct CmdSetLineWidth : SetsState<kSetsLineWidth> {
  static bool TryFast(FastCall& call, VkCommandBuffer commands, float width) {
    return width == 1 && SetsState<kSetsLineWidth>::TryFast(call, commands, width);
  }
  void Before(VkCall& call, VkCommandBuffer commands, float width) {
    if (width != 1 && !call.device().features.core.wideLines) [[unlikely]]
      ReportFeature(call, absl::StrCat("the lineWidth ", width), "wideLines",
                    "vkCmdSetLineWidth-lineWidth-00788");
    SetsState<kSetsLineWidth>::Before(call, commands, width);
  }
};

struct CmdSetVertexInput {
  using Binding = VkVertexInputBindingDescription2EXT;
  using Attribute = VkVertexInputAttributeDescription2EXT;
  static bool TryFast(FastCall& call, VkCommandBuffer commands, uint32_t binding_count,
                      const Binding* bindings, uint32_t count, const Attribute* attributes) {
    CommandBufferState* state = FastState(commands);
    if (state == nullptr || !Set(state, binding_count, bindings, count, attributes,
                                 state->bindings.inputs.capacity())) [[unlikely]]
      return false;
    --state->fast_left;
    call.scope = state->scope;
    return true;
  }
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t binding_count,
              const Binding* bindings, uint32_t count, const Attribute* attributes) {
    if (CommandBufferState* state = RecordedStateOf(call, commands); state != nullptr)
      Set(state, binding_count, bindings, count, attributes, ~size_t{0});
  }

 private:
  static bool Set(CommandBufferState* state, uint32_t binding_count, const Binding* bindings,
                  uint32_t count, const Attribute* attributes, size_t most) {
    Bindings& to = state->bindings;
    if (!SetInputs(binding_count, bindings, count, attributes, &to.inputs, most)) return false;
    to.set_state |= kSetsVertexInput | kSetsStrides;
    to.strides_known = false;
    return true;
  }
};

using CmdSetViewportWithCount =
    SetsCounted<kSetsViewport | kSetsViewportCount, &Bindings::viewports>;
using CmdSetScissorWithCount = SetsCounted<kSetsScissor | kSetsScissorCount, &Bindings::scissors>;
using CmdSetPolygonMode = SetsSwitch<kSetsPolygonMode, VK_POLYGON_MODE_LINE>;
using CmdSetConservativeMode =
    SetsSwitch<kSetsConservative, VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT>;
using CmdSetPrimitiveTopology =
    SetsValue<kSetsTopology, kSetsTopology | kIsTriangles, TopologyValue>;

// The value is on if it is on for all attachments of the command.
inline uint64_t BlendEnableOf(uint32_t, uint32_t count, const VkBool32* enables) {
  for (uint32_t i = 0; i < count; ++i) {
    if (enables == nullptr || enables[i] == VK_FALSE) return 0;
  }
  return kSetsBlendEnable;
}
inline uint64_t BlendConstantsOf(uint32_t, uint32_t count,
                                 const VkColorBlendEquationEXT* equations) {
  for (uint32_t i = 0; i < count; ++i) {
    if (equations == nullptr ||
        !UsesConstants({equations[i].srcColorBlendFactor, equations[i].dstColorBlendFactor,
                        equations[i].srcAlphaBlendFactor, equations[i].dstAlphaBlendFactor}))
      return 0;
  }
  return kSetsBlendEquation;
}
using CmdSetColorBlendEnable = SetsValue<kSetsBlendEnable, kSetsBlendEnable, BlendEnableOf>;
using CmdSetColorBlendEquation =
    SetsValue<kSetsBlendEquation, kSetsBlendEquation, BlendConstantsOf>;

}  // namespace gpusan::vulkan
