// Secondary command buffers that a submitted primary command buffer executes.
#include "hooks/vulkan/submission/secondary_submits.h"

#include <mutex>
#include <optional>

#include "hooks/vulkan/objects/objects.h"
#include "tracker/rules/faults/faulty_call.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

using rules::CallFault;

// Whether another primary command buffer executes the secondary command buffer, too, and was
// recorded later.
bool IsTaken(const CommandBufferState& primary, CommandBufferState& secondary) {
  if ((secondary.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0) return false;
  std::lock_guard lock(secondary.lock);
  return secondary.executed_by != nullptr && secondary.executed_by != &primary;
}

// Why an executed secondary command buffer makes the primary command buffer invalid (Vulkan 1.3
// §6.1); nullopt: none does. The replay reports destroyed ones.
std::optional<CallFault> WhyInvalid(const CommandBufferState& primary) {
  for (const Recording::Child& child : primary.recording->children()) {
    const PlainObject* object = child.commands.get();
    if (object == nullptr || !object->live()) continue;
    auto& secondary = static_cast<CommandBufferState&>(*object->part);
    if (secondary.recording != child.recording) return CallFault::kSecondaryRecordedAgain;
    if (secondary.phase == CommandBufferState::Phase::kInvalid) return CallFault::kSecondaryInvalid;
    if (IsTaken(primary, secondary)) return CallFault::kSecondaryTaken;
  }
  return std::nullopt;
}

// Secondary command buffers that may be submitted once become invalid.
void UseUpSecondaries(const Recording& recording) {
  for (const Recording::Child& child : recording.children()) {
    const PlainObject* object = child.commands.get();
    if (object == nullptr || !object->live()) continue;
    auto& secondary = static_cast<CommandBufferState&>(*object->part);
    if ((secondary.usage & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT) != 0 &&
        secondary.phase == CommandBufferState::Phase::kExecutable)
      secondary.phase = CommandBufferState::Phase::kInvalid;
  }
}

// Reports secondary command buffers that earlier submissions still execute.
void CheckSecondaries(VkCall& call, const Recording& recording) {
  for (const Recording::Child& child : recording.children()) {
    const PlainObject* object = child.commands.get();
    if (object == nullptr || !object->live()) continue;
    auto& secondary = static_cast<CommandBufferState&>(*object->part);
    if ((secondary.usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) != 0) continue;
    CheckNotPending(call, *object, secondary.submitted, secondary.lock,
                    rules::PendingUse::Act::kRecord, "VUID-vkQueueSubmit-pCommandBuffers-00073");
  }
}

}  // namespace

void SubmitSecondaries(VkCall& call, CommandBufferState& primary) {
  const Recording& recording = *primary.recording;
  if (const std::optional<CallFault> fault = WhyInvalid(primary)) {
    primary.phase = CommandBufferState::Phase::kInvalid;
    ReportPhase(call, primary, *fault, "VUID-vkQueueSubmit-pCommandBuffers-00070");
  }
  CheckSecondaries(call, recording);
  UseUpSecondaries(recording);
}

}  // namespace gpusan::vulkan
