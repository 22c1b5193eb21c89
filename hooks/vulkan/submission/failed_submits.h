// Undoes the state changes that gpusan made before a submission that failed: the program may submit
// again (Vulkan 1.3 §5.6: resources, semaphores and fences are unchanged).
#pragma once

#include <utility>
#include <vector>

#include "hooks/vulkan/objects/queues.h"

namespace gpusan::vulkan {

// One batch of the submission. Unknown handles are ignored.
struct FailedBatch {
  std::vector<VkSemaphore> waits;
  std::vector<std::pair<VkSemaphore, uint64_t>> signals;  // with the value for a timeline semaphore
  std::vector<VkCommandBuffer> commands;
};

// Undoes the effects of the batches. Treats all earlier work of the queues as complete, and the
// next use of an object as correct if its earlier state is unknown: both may hide defects.
void TakeBack(VkCall& call, QueueState& queue, const std::vector<FailedBatch>& batches,
              VkFence fence);

}  // namespace gpusan::vulkan
