// Command pools and command buffers: their recordings, and when they may be recorded again.
#include "hooks/vulkan/recording/command_buffers.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/attachment_uses.h"
#include "hooks/vulkan/recording/conditional_rendering.h"
#include "hooks/vulkan/recording/event_checks.h"
#include "hooks/vulkan/recording/interrupted_renderings.h"
#include "hooks/vulkan/recording/pass_checks.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/recording/query_checks.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "hooks/vulkan/shaders/shader_ranges.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

using rules::CallFault;

namespace {

// Checks that a command buffer that is about to be recorded or freed is not pending.
void CheckNotPending(VkCall& call, CommandBufferState& state, rules::PendingUse::Act act,
                     const char* vuid) {
  vulkan::CheckNotPending(call, *state.object, state.submitted, state.lock, act, vuid);
}

void Free(VkCall& call, VkCommandBuffer handle, const char* vuid) {
  Object* object =
      UseForDestroy(call, ObjectKind::kCommandBuffer, HandleOf(handle), "pCommandBuffers[]");
  if (object == nullptr) return;
  auto* state = static_cast<CommandBufferState*>(static_cast<PlainObject*>(object)->part);
  CheckNotPending(call, *state, rules::PendingUse::Act::kDestroy, vuid);
  state->Rewind();
  state->handle.store(kNoCommandBuffer, std::memory_order_relaxed);
  Destroy(call, object);
}

CommandPoolState* PoolOf(VkCall& call, VkCommandPool pool) {
  return FindPart<CommandPoolState>(call, ObjectKind::kCommandPool, HandleOf(pool));
}

// Checks whether the command buffer may execute the other one at this point of its recording.
// `repeated`: the call is given it twice.
void CheckSecondary(VkCall& call, const CommandBufferState& primary, CommandBufferState& secondary,
                    bool repeated) {
  using Fault = rules::SyncStateUse::Fault;
  if (!secondary.secondary) [[unlikely]]
    return ReportSync(call, *secondary.object, Fault::kExecutesPrimary);
  if (secondary.family != primary.family && secondary.family != VK_QUEUE_FAMILY_IGNORED &&
      primary.family != VK_QUEUE_FAMILY_IGNORED) [[unlikely]] {
    ReportSync(call, *secondary.object, Fault::kExecutesOtherFamily,
               std::to_string(secondary.family), std::to_string(primary.family));
  }
  const PassInstance& pass = primary.pass;
  const bool inside = pass.kind != PassInstance::Kind::kNone;
  const bool continues = (secondary.usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0;
  const bool recorded = secondary.phase == CommandBufferState::Phase::kExecutable;
  if (recorded && inside != continues) [[unlikely]] {
    ReportSync(call, *secondary.object,
               inside ? Fault::kExecutesWithoutContinue : Fault::kExecutesOutsidePass);
  } else if (pass.begun && pass.is_inline) [[unlikely]] {
    const bool rendering = pass.kind == PassInstance::Kind::kRendering;
    ReportSync(call, *secondary.object, Fault::kExecutesInline,
               rendering ? "rendering with VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT"
                         : "subpass with VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS",
               rendering           ? "flags-06024"
               : pass.subpass == 0 ? "contents-09680"
                                   : "None-09681");
  } else if (recorded && pass.pass_info != nullptr && secondary.pass.pass_info != nullptr &&
             secondary.pass.subpass != pass.subpass) [[unlikely]] {
    ReportSync(call, *secondary.object, Fault::kExecutesOtherSubpass, std::to_string(pass.subpass),
               std::to_string(secondary.pass.subpass));
  } else if (recorded && inside) {
    CheckInheritance(call, pass, secondary);
  }
  if (recorded && !primary.queries.empty()) [[unlikely]]
    CheckInheritedQueries(call, primary, secondary);
  // Such a secondary may be recorded into several primaries at once.
  if ((secondary.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0 || !recorded) return;
  bool twice = false;
  {
    std::lock_guard lock(secondary.lock);
    twice = secondary.executed_by == &primary && secondary.executed_in == primary.recordings;
    secondary.executed_by = &primary;
    secondary.executed_in = primary.recordings;
  }
  if (twice) [[unlikely]]
    ReportSync(call, *secondary.object, Fault::kExecutedTwice, "", repeated ? "00093" : "00092");
}

// Checks the features for a secondary command buffer that another secondary one executes.
void CheckNested(VkCall& call, const CommandBufferState& outer, const CommandBufferState& inner) {
  const Features& features = call.device().features;
  const auto report = [&](const char* feature, const char* vuid) {
    ReportSync(call, *inner.object, rules::SyncStateUse::Fault::kNestsWith, feature, vuid);
  };
  if ((outer.usage & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0 &&
      !features.nested_passes)
    report("nestedCommandBufferRendering", "nestedCommandBufferRendering-09377");
  if ((inner.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0 &&
      !features.nested_simultaneous)
    report("nestedCommandBufferSimultaneousUse", "nestedCommandBufferSimultaneousUse-09378");
}

std::vector<VkCommandBuffer> BuffersOf(CommandPoolState& pool) {
  std::lock_guard lock(pool.lock);
  return pool.buffers;
}

}  // namespace

void CreateCommandPool::After(VkCall& call, VkResult code, VkDevice,
                              const VkCommandPoolCreateInfo* info, const VkAllocationCallbacks*,
                              VkCommandPool* pool) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepDescribed<CommandPoolState>(call, ObjectKind::kCommandPool, HandleOf(*pool));
  if (state == nullptr) return;
  state->resettable = (info->flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT) != 0;
  state->family = info->queueFamilyIndex;
}

void DestroyCommandPool::Before(VkCall& call, VkDevice, VkCommandPool handle,
                                const VkAllocationCallbacks*) {
  Object* object = UseForDestroy(call, ObjectKind::kCommandPool, HandleOf(handle), "commandPool");
  if (object == nullptr) return;
  if (CommandPoolState* pool = PoolOf(call, handle); pool != nullptr) {
    for (VkCommandBuffer buffer : BuffersOf(*pool))
      Free(call, buffer, "VUID-vkDestroyCommandPool-commandPool-00041");
  }
  Destroy(call, object);
}

void ResetCommandPool::Before(VkCall& call, VkDevice, VkCommandPool handle,
                              VkCommandPoolResetFlags) {
  CommandPoolState* pool = PoolOf(call, handle);
  if (pool == nullptr) return;
  for (VkCommandBuffer buffer : BuffersOf(*pool)) {
    CommandBufferState* state = StateOf(call, buffer);
    if (state == nullptr) continue;
    CheckNotPending(call, *state, rules::PendingUse::Act::kRecord,
                    "VUID-vkResetCommandPool-commandPool-00040");
    state->Rewind();
  }
}

void AllocateCommandBuffers::After(VkCall& call, VkResult code, VkDevice,
                                   const VkCommandBufferAllocateInfo* info,
                                   VkCommandBuffer* buffers) {
  if (code != VK_SUCCESS) return;
  CommandPoolState* pool = PoolOf(call, info->commandPool);
  const auto* pool_object = static_cast<const PlainObject*>(call.tracker().objects().Find(
      Api::kVulkan, ObjectKind::kCommandPool, HandleOf(info->commandPool)));
  for (uint32_t i = 0; i < info->commandBufferCount; ++i) {
    PlainObject* object = call.tracker().objects().NewPlain(
        call, ObjectKind::kCommandBuffer, HandleOf(buffers[i]), call.device().object);
    object->MarkOwned();  // destroyed with its pool
    CommandBufferState* state = CommandBufferState::New();
    state->object = object;
    state->handle.store(buffers[i], std::memory_order_relaxed);
    state->usage = 0;
    state->family = pool != nullptr ? pool->family.load() : VK_QUEUE_FAMILY_IGNORED;
    state->user = pool != nullptr ? &pool->user : &state->own_user;
    state->pool = pool_object;
    state->checked[0] = state->checked[1] = GivenMasks();
    state->executed_by = nullptr;
    state->secondary = info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    state->resettable = pool == nullptr || pool->resettable;
    state->Rewind();
    object->part = state;
  }
  if (pool == nullptr) return;
  std::lock_guard lock(pool->lock);
  pool->buffers.insert(pool->buffers.end(), buffers, buffers + info->commandBufferCount);
}

void FreeCommandBuffers::Before(VkCall& call, VkDevice, VkCommandPool handle, uint32_t count,
                                const VkCommandBuffer* buffers) {
  if (buffers == nullptr && count != 0) [[unlikely]] {
    return rules::OnNullArgument({"vkFreeCommandBuffers", "pCommandBuffers", false,
                                  "VUID-vkFreeCommandBuffers-pCommandBuffers-00048"},
                                 call);
  }
  CommandPoolState* pool = PoolOf(call, handle);
  for (uint32_t i = 0; i < count; ++i) {
    if (buffers[i] == VK_NULL_HANDLE) continue;
    if (pool != nullptr) {
      std::lock_guard lock(pool->lock);
      const auto found = std::find(pool->buffers.begin(), pool->buffers.end(), buffers[i]);
      if (found != pool->buffers.end()) {
        *found = pool->buffers.back();
        pool->buffers.pop_back();
      }
    }
    Free(call, buffers[i], "VUID-vkFreeCommandBuffers-pCommandBuffers-00047");
  }
}

void BeginCommandBuffer::Before(VkCall& call, VkCommandBuffer commands,
                                const VkCommandBufferBeginInfo* info) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  if (state->secondary && info->pInheritanceInfo == nullptr) [[unlikely]] {
    rules::OnNullArgument({"VkCommandBufferBeginInfo", "pInheritanceInfo", false,
                           "VUID-vkBeginCommandBuffer-commandBuffer-00051"},
                          call);
  }
  CheckNotPending(call, *state, rules::PendingUse::Act::kRecord,
                  "VUID-vkBeginCommandBuffer-commandBuffer-00049");
  using Phase = CommandBufferState::Phase;
  // A command buffer that became invalid while it was recorded may begin anew.
  CheckPhase(call, *state, state->phase != Phase::kRecording || state->MayBeInvalid(),
             CallFault::kBeginsTwice, "VUID-vkBeginCommandBuffer-commandBuffer-00049");
  if (state->phase != Phase::kRecording) {
    CheckPhase(call, *state, state->resettable || state->phase == Phase::kInitial,
               CallFault::kBeginsAgain, "VUID-vkBeginCommandBuffer-commandBuffer-00050");
  }
  state->Rewind();
  state->bindings.refused_state = call.device().features.refused_states;
  state->bindings.several_viewports = call.device().features.core.multiViewport != VK_FALSE;
  state->bindings.keeps_draw_constants = draw_addresses_known.load(std::memory_order_relaxed);
  if (call.device().inherits_bindings) [[unlikely]]
    state->bindings.ForgetAll();
  state->usage = info->flags;
  if (state->secondary && info->pInheritanceInfo != nullptr) {
    state->inherits_occlusion = info->pInheritanceInfo->occlusionQueryEnable != VK_FALSE;
    state->inherited_flags = info->pInheritanceInfo->queryFlags;
    CheckInheritedFlags(call, *state, *info->pInheritanceInfo);
    const auto* viewports = FindInChain<VkCommandBufferInheritanceViewportScissorInfoNV>(
        info->pInheritanceInfo->pNext,
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_VIEWPORT_SCISSOR_INFO_NV);
    state->inherits_viewports = viewports != nullptr && viewports->viewportScissor2D != VK_FALSE;
    state->inherited_statistics = info->pInheritanceInfo->pipelineStatistics;
  }
  state->phase = CommandBufferState::Phase::kRecording;
  state->released_at_begin = ReleasedSoFar();
  state->recorded.store(commands, std::memory_order_relaxed);
  if (state->secondary && info->pInheritanceInfo != nullptr &&
      (info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT) != 0) {
    InheritPass(call, *info->pInheritanceInfo, &state->pass);
    state->pass.kind = info->pInheritanceInfo->renderPass != VK_NULL_HANDLE
                           ? PassInstance::Kind::kPass
                           : PassInstance::Kind::kRendering;
  }
}

void EndCommandBuffer::Before(VkCall& call, VkCommandBuffer commands) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  CheckPhase(call, *state, state->phase == CommandBufferState::Phase::kRecording,
             CallFault::kEndsNothing, "VUID-vkEndCommandBuffer-commandBuffer-00059");
  if (state->phase != CommandBufferState::Phase::kRecording) return;
  if (state->uses_events) [[unlikely]]
    CheckRecordedEvents(call, *state->recording);
  if (state->pass.begun) [[unlikely]]
    ReportSync(call, *state->object, rules::SyncStateUse::Fault::kEndedInPass);
  if (!state->queries.empty()) [[unlikely]]
    CheckNoQueryActive(call, *state);
  CheckNoCondition(call, *state);
  InterruptedRenderings(call).AddEnded(*state->object, *state->recording);
}

void EndCommandBuffer::After(VkCall& call, VkResult code, VkCommandBuffer commands) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  state->recorded.store(kNoCommandBuffer, std::memory_order_relaxed);
  state->CountFast();
  state->recording->NoteEnd();
  state->phase = code == VK_SUCCESS ? CommandBufferState::Phase::kExecutable
                                    : CommandBufferState::Phase::kInvalid;
}

void ResetCommandBuffer::Before(VkCall& call, VkCommandBuffer commands, VkCommandBufferResetFlags) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  CheckNotPending(call, *state, rules::PendingUse::Act::kRecord,
                  "VUID-vkResetCommandBuffer-commandBuffer-00045");
  CheckPhase(call, *state, state->resettable, CallFault::kResetsAlone,
             "VUID-vkResetCommandBuffer-commandBuffer-00046");
  state->Rewind();
}

void CmdExecuteCommands::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                                const VkCommandBuffer* buffers) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  if (recorder.state().secondary && !call.device().features.nested_commands) [[unlikely]]
    ReportSync(call, *recorder.state().object, rules::SyncStateUse::Fault::kExecutesNested);
  CheckNoFeedback(call, recorder.state(), "02286");
  const bool nested = recorder.state().secondary && call.device().features.nested_commands;
  for (uint32_t i = 0; i < count; ++i) {
    auto* object = static_cast<PlainObject*>(
        UseHandle(call, ObjectKind::kCommandBuffer, HandleOf(buffers[i]), "pCommandBuffers[]"));
    if (object == nullptr) continue;
    auto* secondary = static_cast<CommandBufferState*>(object->part);
    if (nested) [[unlikely]]
      CheckNested(call, recorder.state(), *secondary);
    CheckSecondary(call, recorder.state(), *secondary,
                   std::find(buffers, buffers + i, buffers[i]) != buffers + i);
    CheckPhase(call, *secondary, secondary->phase == CommandBufferState::Phase::kExecutable,
               secondary->phase == CommandBufferState::Phase::kInvalid
                   ? CallFault::kExecutesInvalid
                   : CallFault::kExecutesUnended,
               "VUID-vkCmdExecuteCommands-pCommandBuffers-00089");
    if ((secondary->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) == 0)
      CheckNotPending(call, *secondary, rules::PendingUse::Act::kRecord,
                      "VUID-vkCmdExecuteCommands-pCommandBuffers-00091");
    // It has no commands yet, or is the command buffer itself.
    if (secondary->phase == CommandBufferState::Phase::kRecording) continue;
    recorder.state().unseen_writes |= secondary->unseen_writes;
    recorder.state().uses_events |= secondary->uses_events;
    RecordDeferredUses(recorder, *secondary->recording);
    recorder.state().recording->renderings().Append(secondary->recording->renderings());
    recorder.Append<RecordedExecute>(
        object, object->generation.load(std::memory_order_relaxed),
        recorder.state().recording->AddChild({secondary->recording, WeakRef<PlainObject>(object)}));
  }
  // Vulkan 1.3 §6: except for that of the render pass.
  recorder.state().bindings.Undo(call.info(), recorder.site());
}

}  // namespace gpusan::vulkan
