// Conditional rendering: the predicate that the device reads.
#include "hooks/vulkan/recording/conditional_rendering.h"

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;
using Condition = CommandBufferState::Condition;

void Enter(VkCall& call, CommandBufferState& state) {
  if (state.condition != Condition::kNone) [[unlikely]]
    ReportSync(call, *state.object, Fault::kConditionActive);
  state.condition =
      state.pass.kind == PassInstance::Kind::kNone ? Condition::kOutside : Condition::kInside;
  state.condition_subpass = state.pass.subpass;
}

}  // namespace

void CmdBeginConditionalRendering::Before(VkCall& call, VkCommandBuffer commands,
                                          const VkConditionalRenderingBeginInfoEXT* info) {
  constexpr uint64_t kPredicate = 4;  // its size [bytes]
  Resource* buffer = UseBuffer(call, info->buffer, "buffer");
  Recorder recorder(call, commands);
  if (!recorder) return;
  Enter(call, recorder.state());
  if (buffer == nullptr) return;
  CheckBoundOnce(call, *buffer, "buffer");
  CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT,
                   "VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT", "buffer");
  if (info->offset % kPredicate != 0)
    ReportSync(call, *buffer, Fault::kConditionAlignment, absl::StrCat(info->offset));
  if (info->offset > buffer->bytes || buffer->bytes - info->offset < kPredicate)
    return ReportSync(call, *buffer, Fault::kConditionBytes, absl::StrCat(info->offset));
  recorder.Use(*buffer, Region::Linear(info->offset, kPredicate),
               VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
               VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT);
}

void CmdBeginConditionalRendering2::Before(VkCall& call, VkCommandBuffer commands, const void*) {
  if (Recorder recorder(call, commands); recorder) Enter(call, recorder.state());
}

void CmdEndConditionalRendering::Before(VkCall& call, VkCommandBuffer commands) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  CommandBufferState& state = recorder.state();
  const bool inside = state.pass.kind != PassInstance::Kind::kNone;
  if (state.condition == Condition::kNone) [[unlikely]] {
    ReportSync(call, *state.object, Fault::kConditionNotActive);
  } else if (state.condition == Condition::kOutside && inside) [[unlikely]] {
    ReportSync(call, *state.object, Fault::kConditionOfOtherScope, "outside of the render pass",
               "01986");
  } else if (state.condition == Condition::kInside &&
             (!inside || state.condition_subpass != state.pass.subpass)) [[unlikely]] {
    ReportSync(call, *state.object, Fault::kConditionOfOtherScope, "in another subpass", "01987");
  }
  state.condition = Condition::kNone;
}

void CheckNoCondition(VkCall& call, const CommandBufferState& state) {
  if (state.condition != Condition::kNone) [[unlikely]]
    ReportSync(call, *state.object, Fault::kConditionLeft);
}

}  // namespace gpusan::vulkan
