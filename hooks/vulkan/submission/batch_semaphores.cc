// Semaphores of submissions: waits and signals of a batch, and their checks.
#include "hooks/vulkan/submission/batch_semaphores.h"

#include <type_traits>

#include "hooks/vulkan/submission/semaphore_checks.h"
#include "hooks/vulkan/submission/submits.h"
#include "hooks/vulkan/words/sync_masks.h"

namespace gpusan::vulkan {
namespace {

// `lack`: the valid usage that the submission breaks if the semaphore has values; nullptr: it has a
// value for it. `far`: the valid usage that a value breaks which is too far above earlier ones.
void AddOldSemaphore(VkCall& call, const char* lack, const char* far,
                     absl::InlinedVector<Batch::Semaphore, 2>* to,
                     const Batch::Semaphore& semaphore) {
  if (semaphore.state == nullptr) return;
  if (semaphore.state->timeline && lack != nullptr) [[unlikely]]
    return ReportSync(call, *semaphore.object, rules::SyncStateUse::Fault::kNoTimelineValues, "",
                      lack);
  CheckDifference(call, semaphore, far);
  to->push_back(semaphore);
}

}  // namespace

void AddSemaphore(VkCall& call, const QueueState& queue, uint64_t stages, bool waits,
                  absl::InlinedVector<Batch::Semaphore, 2>* to, const Batch::Semaphore& semaphore) {
  if (semaphore.state == nullptr) return;
  CheckSemaphoreStages(call, queue, *semaphore.object, stages, waits);
  CheckDifference(call, semaphore,
                  waits ? "VkSubmitInfo2-semaphore-03884" : "VkSubmitInfo2-semaphore-03883");
  to->push_back(semaphore);
}

template <typename Info>
void AddOldSemaphores(VkCall& call, const QueueState& queue, const Info& info,
                      const VkPipelineStageFlags* stages, Batch* batch) {
  const auto* values = FindInChain<VkTimelineSemaphoreSubmitInfo>(
      info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  constexpr bool kSparse = std::is_same_v<Info, VkBindSparseInfo>;
  const char* no_waits =
      values == nullptr ? (kSparse ? "VkBindSparseInfo-pWaitSemaphores-03246"
                                   : "VkSubmitInfo-pWaitSemaphores-03239")
                        : (kSparse ? "VkBindSparseInfo-pNext-03247" : "VkSubmitInfo-pNext-03240");
  const char* no_signals = values == nullptr ? no_waits
                           : kSparse         ? "VkBindSparseInfo-pNext-03248"
                                             : "VkSubmitInfo-pNext-03241";
  for (uint32_t i = 0; i < info.waitSemaphoreCount; ++i) {
    const bool has = values != nullptr && values->pWaitSemaphoreValues != nullptr &&
                     i < values->waitSemaphoreValueCount;
    const Batch::Semaphore semaphore =
        BatchSemaphore(call, info.pWaitSemaphores[i], has ? values->pWaitSemaphoreValues[i] : 0,
                       stages != nullptr ? ExpandWait(stages[i]) : kAnyStage, "pWaitSemaphores[]");
    if (semaphore.state != nullptr && stages != nullptr)
      CheckSemaphoreStages(call, queue, *semaphore.object, stages[i], true);
    AddOldSemaphore(
        call, has ? nullptr : no_waits,
        kSparse ? "VkBindSparseInfo-pWaitSemaphores-03250" : "VkSubmitInfo-pWaitSemaphores-03243",
        &batch->waits, semaphore);
  }
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
    const bool has = values != nullptr && values->pSignalSemaphoreValues != nullptr &&
                     i < values->signalSemaphoreValueCount;
    AddOldSemaphore(
        call, has ? nullptr : no_signals,
        kSparse ? "VkBindSparseInfo-pSignalSemaphores-03251"
                : "VkSubmitInfo-pSignalSemaphores-03244",
        &batch->signals,
        BatchSemaphore(call, info.pSignalSemaphores[i], has ? values->pSignalSemaphoreValues[i] : 0,
                       ~uint64_t{0}, "pSignalSemaphores[]"));
  }
  CheckOwnWaits(call, *batch);
}

template void AddOldSemaphores(VkCall& call, const QueueState& queue, const VkSubmitInfo& info,
                               const VkPipelineStageFlags* stages, Batch* batch);
template void AddOldSemaphores(VkCall& call, const QueueState& queue, const VkBindSparseInfo& info,
                               const VkPipelineStageFlags* stages, Batch* batch);

template <typename Info>
void DescribeOldSemaphores(const Info& info, FailedBatch* batch) {
  const auto* values = FindInChain<VkTimelineSemaphoreSubmitInfo>(
      info.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  batch->waits.assign(info.pWaitSemaphores, info.pWaitSemaphores + info.waitSemaphoreCount);
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
    const bool has = values != nullptr && values->pSignalSemaphoreValues != nullptr &&
                     i < values->signalSemaphoreValueCount;
    batch->signals.emplace_back(info.pSignalSemaphores[i],
                                has ? values->pSignalSemaphoreValues[i] : 0);
  }
}

template void DescribeOldSemaphores(const VkSubmitInfo& info, FailedBatch* batch);
template void DescribeOldSemaphores(const VkBindSparseInfo& info, FailedBatch* batch);

}  // namespace gpusan::vulkan
