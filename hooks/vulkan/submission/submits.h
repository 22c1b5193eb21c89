// Submissions: recordings are put into the order of their queue and checked there.
#pragma once

#include <functional>
#include <memory>

#include "hooks/vulkan/objects/batch.h"
#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Processes the batch, or parks it until the signals that it waits for are submitted.
void Submit(VkCall& call, QueueState& queue, std::unique_ptr<Batch> batch);
// Processes the parked batches of the device whose signals are submitted by now. Precondition of
// both: the caller holds no lock of a queue.
void RunParkedNow(VkCall& call, Device& device);
inline void RunParked(VkCall& call, Device& device) {
  if (device.parked.load(std::memory_order_acquire) != 0) [[unlikely]]
    RunParkedNow(call, device);
}
// Processes all parked batches of the device for which `ran` is true, because the host knows that
// they ran, and those before them in their queues. Their signals may be outside of gpusan's view.
void RunParkedThat(VkCall& call, Device& device, const std::function<bool(const Batch&)>& ran);
// Counts all work of the queue as complete: the host waited for it.
void ObserveIdle(VkCall& call, QueueState& queue);

// Counts all work of the device as complete: the host waited for it, or the device is lost.
void ObserveDeviceIdle(VkCall& call, Device& device);

// A wait or signal of a batch. A state of nullptr: unknown semaphore, to be left out.
Batch::Semaphore BatchSemaphore(VkCall& call, VkSemaphore handle, uint64_t value, uint64_t stages,
                                const char* argument);

// Adds a signal to the semaphore, and reports a signal that is not allowed. `by_host`:
// vkSignalSemaphore.
void AddSignal(VkCall& call, const Batch::Semaphore& semaphore, SignalList::Signal signal,
               bool by_host = false);

// Reports a fence that is signaled, or that earlier work signals, as one of two faults.
// Precondition: no lock is held.
void CheckFence(VkCall& call, FenceState& fence, VkFence handle,
                rules::SyncStateUse::Fault signaled, rules::SyncStateUse::Fault in_use);

// Puts a recording into the order of the queue and checks its accesses. `command`: the batch.
// Precondition: the queue is locked.
void Replay(VkCall& call, QueueState& queue, const Command& command, const Recording& recording);

// Base of the handlers of submissions: no other thread may use the queue or the fence.
struct Submission {
  template <typename Info>
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkQueue queue, uint32_t, const Info*,
                       VkFence fence) {
    UseQueueAlone(call, uses, queue);
    GiveFence(call, uses, fence);
  }
};
struct QueueSubmit : Submission {
  BeforeOf<PFN_vkQueueSubmit> Before;
  AfterOf<PFN_vkQueueSubmit> After;
};
struct QueueSubmit2 : Submission {
  BeforeOf<PFN_vkQueueSubmit2> Before;
  AfterOf<PFN_vkQueueSubmit2> After;
};
struct QueueBindSparse : Submission {
  BeforeOf<PFN_vkQueueBindSparse> Before;
  AfterOf<PFN_vkQueueBindSparse> After;
};
struct QueueWaitIdle {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkQueue queue) {
    UseQueueAlone(call, uses, queue);
  }
  AfterOf<PFN_vkQueueWaitIdle> After;
};
struct DeviceWaitIdle {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice) { UseAllQueuesAlone(call, uses); }
  AfterOf<PFN_vkDeviceWaitIdle> After;
};

}  // namespace gpusan::vulkan
