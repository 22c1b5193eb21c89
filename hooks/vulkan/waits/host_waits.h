// Calls by which the host learns what is complete, or signals a semaphore itself.
#pragma once

#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/waits/endless_host_waits.h"

namespace gpusan::vulkan {

// The host observed the signal of the fence: counts the work that signals it as complete.
void ObserveFence(VkCall& call, VkFence fence);
void ObserveSemaphore(VkCall& call, VkSemaphore semaphore, uint64_t value);

struct GetFenceStatus {
  AfterOf<PFN_vkGetFenceStatus> After;
};
struct WaitForFences {
  void Before(VkCall& call, VkDevice, uint32_t count, const VkFence* fences, VkBool32 wait_all,
              uint64_t timeout) {
    if (timeout == UINT64_MAX) wait_.ForFences(call, count, fences, wait_all != VK_FALSE);
  }
  AfterOf<PFN_vkWaitForFences> After;

 private:
  HostWait wait_;
};
struct GetSemaphoreCounterValue {
  BeforeOf<PFN_vkGetSemaphoreCounterValue> Before;
  AfterOf<PFN_vkGetSemaphoreCounterValue> After;
};
struct WaitSemaphores {
  BeforeOf<PFN_vkWaitSemaphores> Before;
  AfterOf<PFN_vkWaitSemaphores> After;

 private:
  HostWait wait_;
};
struct SignalSemaphore {
  BeforeOf<PFN_vkSignalSemaphore> Before;
};
// The driver signals the semaphore. `info`: VkLatencySleepInfoNV.
struct LatencySleep {
  void Before(VkCall& call, VkDevice device, VkSwapchainKHR swapchain, const void* info);
};
struct GetSemaphoreFd {
  BeforeOf<PFN_vkGetSemaphoreFdKHR> Before;
  AfterOf<PFN_vkGetSemaphoreFdKHR> After;
};
struct GetFenceFd {
  BeforeOf<PFN_vkGetFenceFdKHR> Before;
  AfterOf<PFN_vkGetFenceFdKHR> After;
};
// The host read results of queries: counts the batches that made them available as complete, which
// may hide defects.
struct GetQueryPoolResults {
  PlainObject* pool = nullptr;  // nullptr: unknown
  BeforeOf<PFN_vkGetQueryPoolResults> Before;
  AfterOf<PFN_vkGetQueryPoolResults> After;

 private:
  HostWait wait_;
};
// The host observed an event that a queue set: counts the whole batch as complete, which may hide
// defects.
struct GetEventStatus {
  BeforeOf<PFN_vkGetEventStatus> Before;
  AfterOf<PFN_vkGetEventStatus> After;
};

}  // namespace gpusan::vulkan
