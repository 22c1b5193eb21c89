// A submission that has failed: what gpusan took it to change before the call is taken back, so
// that it can be tried again (Vulkan 1.3 §5.6: resources, semaphores and fences are as before).
#pragma once

#include <utility>
#include <vector>

#include "hooks/vulkan/objects/queues.h"

namespace gpusan::vulkan {

// One batch of it. Handles may be anything, and those that are not known count for nothing.
struct FailedBatch {
  std::vector<VkSemaphore> waits;
  std::vector<std::pair<VkSemaphore, uint64_t>>
      signals;  // with the value that a timeline was to get
  std::vector<VkCommandBuffer> commands;
};

// All that the queues were given counts as complete then, which may hide; where it cannot be known
// what was before, what comes next is taken to be right.
void TakeBack(VkCall& call, QueueState& queue, const std::vector<FailedBatch>& batches,
              VkFence fence);

}  // namespace gpusan::vulkan
