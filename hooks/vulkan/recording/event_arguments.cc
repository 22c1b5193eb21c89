// Stages and flags of event commands. If a command has barriers, the checks of barriers cover the
// stages that the queue family does not support.
#include "hooks/vulkan/recording/event_arguments.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/barrier_checks.h"
#include "hooks/vulkan/words/stage_features.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

std::string Hex(VkDependencyFlags flags) { return absl::StrCat("0x", absl::Hex(flags)); }

void CheckAsymmetric(VkCall& call, const Object& event, const VkDependencyInfo& info) {
  const uint32_t resources = info.bufferMemoryBarrierCount + info.imageMemoryBarrierCount;
  if (resources != 0) {
    return ReportSync(call, event, Fault::kAsymmetricContent,
                      absl::StrCat(resources, " barriers of buffers and images"), "10785");
  }
  if (info.memoryBarrierCount != 1) {
    return ReportSync(call, event, Fault::kAsymmetricContent,
                      absl::StrCat(info.memoryBarrierCount, " memory barriers"), "10786");
  }
  const VkMemoryBarrier2& barrier = *info.pMemoryBarriers;
  if (barrier.srcAccessMask != 0 || barrier.dstStageMask != 0 || barrier.dstAccessMask != 0) {
    ReportSync(call, event, Fault::kAsymmetricContent, "access masks or destination stages",
               "10787");
  }
}

}  // namespace

void CheckEventStages(Recorder& recorder, const Object& event, uint64_t stages) {
  VkCall& call = recorder.call();
  const std::string_view name = call.info().name;
  const bool second = IsSecond(call);
  const bool sets = name.starts_with("vkCmdSet");
  if ((stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0) [[unlikely]] {
    ReportSync(call, event, Fault::kEventHostStage, "",
               sets     ? "stageMask-01149"
               : second ? "stageMask-03830"
                        : "stageMask-01153");
  }
  const uint64_t absent = stages & call.device().features.lacking_stages;
  if (const StageFeature* feature = FindStageFeature(absent); feature != nullptr) [[unlikely]] {
    ReportSync(
        call, event, Fault::kStageFeatureOf, call.words().Stages(absent & feature->stages),
        absl::StrCat(call.info().name, "-stageMask-", second ? feature->vuid2 : feature->vuid));
  }
  const uint64_t lacking =
      UnsupportedStages(stages, call.device().flags_of(recorder.state().family));
  if (lacking != 0 && !second) [[unlikely]]
    ReportSync(call, event, Fault::kEventStages, call.words().Stages(lacking),
               sets ? "06457" : "06458");
}

void CheckEventDependency(Recorder& recorder, const Object& event, const VkDependencyInfo& info) {
  VkCall& call = recorder.call();
  if ((info.dependencyFlags & ~kAsymmetricEvent) != 0) [[unlikely]]
    ReportSync(call, event, Fault::kEventFlags, Hex(info.dependencyFlags), "03825");
  if ((info.dependencyFlags & kAsymmetricEvent) != 0) [[unlikely]]
    CheckAsymmetric(call, event, info);
  bool source = false, target = false;
  const auto check = [&](const auto& given, BarrierKind kind) {
    source |= given.srcStageMask == VK_PIPELINE_STAGE_2_HOST_BIT;
    target |= given.dstStageMask == VK_PIPELINE_STAGE_2_HOST_BIT;
    CheckMasks(recorder,
               {given.srcStageMask, given.srcAccessMask, given.dstStageMask, given.dstAccessMask},
               kind);
  };
  for (uint32_t i = 0; i < info.memoryBarrierCount; ++i)
    check(info.pMemoryBarriers[i], BarrierKind::kMemory);
  for (uint32_t i = 0; i < info.bufferMemoryBarrierCount; ++i)
    check(info.pBufferMemoryBarriers[i], BarrierKind::kBuffer);
  for (uint32_t i = 0; i < info.imageMemoryBarrierCount; ++i)
    check(info.pImageMemoryBarriers[i], BarrierKind::kImage);
  if (source) [[unlikely]]
    ReportSync(call, event, Fault::kEventHostStage, "", "srcStageMask-09391");
  if (target) [[unlikely]]
    ReportSync(call, event, Fault::kEventHostStage, "", "dstStageMask-09392");
}

void CheckWaitFlags(Recorder& recorder, const Object& event, const VkDependencyInfo& info) {
  CheckTransferFlag(recorder.call(), event, info.dependencyFlags,
                    "vkCmdWaitEvents2-maintenance8-10205");
  if ((info.dependencyFlags & ~(kAsymmetricEvent | kTransferStages)) != 0) [[unlikely]]
    ReportSync(recorder.call(), event, Fault::kEventFlags, Hex(info.dependencyFlags), "10394");
}

void CheckWaitInPass(Recorder& recorder, const Object& event, uint64_t stages) {
  if ((stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0) return;
  const bool second = IsSecond(recorder.call());
  ReportSync(recorder.call(), event, Fault::kHostWaitInPass, "",
             second ? "dependencyFlags-03844" : "srcStageMask-07308");
}

}  // namespace gpusan::vulkan
