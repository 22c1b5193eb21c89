// Dynamic renderings that are suspended and resumed in the command buffers of a batch.
#include "hooks/vulkan/submission/rendering_checks.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/recording/interrupted_renderings.h"

namespace gpusan::vulkan {
namespace {

using Fault = SuspendedRenderings::Fault;

struct Text {
  const char *what, *vuid, *vuid2;  // of vkQueueSubmit and vkQueueSubmit2
};

Text TextOf(Fault fault) {
  switch (fault) {
    case Fault::kResumesNothing:
      return {"resumes a rendering, but the one before it is not suspended",
              "VkSubmitInfo-pCommandBuffers-06193", "VkSubmitInfo2-commandBuffer-06192"};
    case Fault::kNotResumed:
      return {"suspends a rendering that no later one resumes",
              "VkSubmitInfo-pCommandBuffers-06014", "VkSubmitInfo2-commandBuffer-06010"};
    default:
      return {"begins a render pass instance after a suspended rendering, which it does not resume",
              "VkSubmitInfo-pCommandBuffers-06016", "VkSubmitInfo2-commandBuffer-06012"};
  }
}

}  // namespace

void CheckRenderings(VkCall& call, const Batch& batch) {
  SuspendedRenderings all;
  for (const Batch::Commands& commands : batch.commands)
    all.Append(commands.recording->renderings());
  if (all.suspends()) [[unlikely]] {
    InterruptedRenderings interrupted(call);
    for (const Batch::Commands& commands : batch.commands)
      interrupted.AddPrimary(*commands.state->object, *commands.recording);
  }
  const auto [fault, instance] = all.FaultOfBatch();
  if (fault == Fault::kNone) [[likely]]
    return;
  if (fault == Fault::kResumesOther) {
    Call made(call.tracker(), *instance.call, call.words(), nullptr, nullptr, instance.site,
              kNoLabel);
    return ReportSync(made, *batch.commands.front().state->object,
                      rules::SyncStateUse::Fault::kResumesOther);
  }
  const Text text = TextOf(fault);
  const bool second = std::string_view(call.info().name).starts_with("vkQueueSubmit2");
  ReportSync(call, *batch.commands.front().state->object,
             rules::SyncStateUse::Fault::kSuspendedRendering,
             absl::StrCat(instance.call->name, " ", text.what), second ? text.vuid2 : text.vuid,
             {instance.call, instance.site});
}

}  // namespace gpusan::vulkan
