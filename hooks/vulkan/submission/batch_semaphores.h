// Semaphores of submissions: waits and signals of a batch, and their checks.
#pragma once

#include "hooks/vulkan/objects/batch.h"
#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/submission/failed_submits.h"

namespace gpusan::vulkan {

// Checks a wait or a signal of synchronization2 and adds it to `to`, unless its semaphore is
// unknown. `stages`: as given. `waits`: whether it is a wait.
void AddSemaphore(VkCall& call, const QueueState& queue, uint64_t stages, bool waits,
                  absl::InlinedVector<Batch::Semaphore, 2>* to, const Batch::Semaphore& semaphore);

// Checks and adds the semaphores of synchronization1, whose timeline values are in a separate
// structure. `Info`: VkSubmitInfo or VkBindSparseInfo. `stages`: of the waits, as given; nullptr:
// any stage.
template <typename Info>
void AddOldSemaphores(VkCall& call, const QueueState& queue, const Info& info,
                      const VkPipelineStageFlags* stages, Batch* batch);

// The same semaphores of a submission that failed.
template <typename Info>
void DescribeOldSemaphores(const Info& info, FailedBatch* batch);

}  // namespace gpusan::vulkan
