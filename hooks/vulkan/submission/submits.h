// Submissions: what was recorded is put into the order of its queue and judged there.
#pragma once

#include <memory>
#include <vector>

#include "hooks/vulkan/objects/batch.h"
#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// Takes its place on the queue, or is parked until what it waits for is submitted.
void Submit(VkCall& call, QueueState& queue, std::unique_ptr<Batch> batch);
// Looks at parked batches of the device whose waits have come within reach.
void RunParkedNow(VkCall& call, Device& device);
inline void RunParked(VkCall& call, Device& device) {
  if (device.parked.load(std::memory_order_acquire) != 0) [[unlikely]]
    RunParkedNow(call, device);
}
// The host knows that the queue is idle.
void ObserveIdle(VkCall& call, QueueState& queue);

// The host knows that the device is idle, or lost: nothing of it is pending any more.
void ObserveDeviceIdle(VkCall& call, Device& device);

// A wait or signal of a batch; nullptr state: not known, and left out.
Batch::Semaphore BatchSemaphore(VkCall& call, VkSemaphore handle, uint64_t value, uint64_t stages,
                                const char* argument);

// Keeps a signal of a semaphore, and judges one that may not come.
void AddSignal(VkCall& call, const Batch::Semaphore& semaphore, SignalList::Signal signal);

// Puts what was recorded into the order of the queue. `command`: the place of the batch. The queue
// is locked.
void Replay(VkCall& call, QueueState& queue, const Command& command, const Recording& recording);

struct QueueSubmit {
  void Before(VkCall& call, VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
              VkFence fence);
  void After(VkCall& call, VkResult code, VkQueue queue, uint32_t count, const VkSubmitInfo* infos,
             VkFence fence);
};
struct QueueSubmit2 {
  void Before(VkCall& call, VkQueue queue, uint32_t count, const VkSubmitInfo2* infos,
              VkFence fence);
  void After(VkCall& call, VkResult code, VkQueue queue, uint32_t count, const VkSubmitInfo2* infos,
             VkFence fence);
};
struct QueueBindSparse {
  void Before(VkCall& call, VkQueue queue, uint32_t count, const VkBindSparseInfo* infos,
              VkFence fence);
  void After(VkCall& call, VkResult code, VkQueue queue, uint32_t count,
             const VkBindSparseInfo* infos, VkFence fence);
};
struct QueueWaitIdle {
  void After(VkCall& call, VkResult code, VkQueue queue);
};
struct DeviceWaitIdle {
  void After(VkCall& call, VkResult code, VkDevice device);
};

}  // namespace gpusan::vulkan
