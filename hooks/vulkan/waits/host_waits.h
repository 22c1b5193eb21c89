// Calls by which the host learns what is complete, or signals a semaphore itself.
#pragma once

#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/waits/endless_host_waits.h"

namespace gpusan::vulkan {

// The host observed the signal of the fence: counts the work that signals it as complete.
void ObserveFence(VkCall& call, VkFence fence);
void ObserveSemaphore(VkCall& call, VkSemaphore semaphore, uint64_t value);

struct GetFenceStatus {
  void After(VkCall& call, VkResult code, VkDevice device, VkFence fence);
};
struct WaitForFences {
  void Before(VkCall& call, VkDevice, uint32_t count, const VkFence* fences, VkBool32 wait_all,
              uint64_t timeout) {
    if (timeout == UINT64_MAX) wait_.ForFences(call, count, fences, wait_all != VK_FALSE);
  }
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count, const VkFence* fences,
             VkBool32 wait_all, uint64_t timeout);

 private:
  HostWait wait_;
};
struct GetSemaphoreCounterValue {
  void Before(VkCall& call, VkDevice device, VkSemaphore semaphore, uint64_t* value);
  void After(VkCall& call, VkResult code, VkDevice device, VkSemaphore semaphore, uint64_t* value);
};
struct WaitSemaphores {
  void Before(VkCall& call, VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout);
  void After(VkCall& call, VkResult code, VkDevice device, const VkSemaphoreWaitInfo* info,
             uint64_t timeout);

 private:
  HostWait wait_;
};
struct SignalSemaphore {
  void Before(VkCall& call, VkDevice device, const VkSemaphoreSignalInfo* info);
};
// The driver signals the semaphore. `info`: VkLatencySleepInfoNV.
struct LatencySleep {
  void Before(VkCall& call, VkDevice device, VkSwapchainKHR swapchain, const void* info);
};
struct GetSemaphoreFd {
  void Before(VkCall& call, VkDevice device, const VkSemaphoreGetFdInfoKHR* info, int* fd);
  void After(VkCall& call, VkResult code, VkDevice device, const VkSemaphoreGetFdInfoKHR* info,
             int* fd);
};
struct GetFenceFd {
  void Before(VkCall& call, VkDevice device, const VkFenceGetFdInfoKHR* info, int* fd);
  void After(VkCall& call, VkResult code, VkDevice device, const VkFenceGetFdInfoKHR* info,
             int* fd);
};
// The host read results of queries: counts the batches that made them available as complete, which
// may hide defects.
struct GetQueryPoolResults {
  PlainObject* pool = nullptr;  // nullptr: unknown
  void Before(VkCall& call, VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
              size_t bytes, void* data, VkDeviceSize stride, VkQueryResultFlags flags);
  void After(VkCall& call, VkResult code, VkDevice device, VkQueryPool pool, uint32_t first,
             uint32_t count, size_t bytes, void* data, VkDeviceSize stride,
             VkQueryResultFlags flags);

 private:
  HostWait wait_;
};
// The host observed an event that a queue set: counts the whole batch as complete, which may hide
// defects.
struct GetEventStatus {
  void Before(VkCall& call, VkDevice device, VkEvent event);
  void After(VkCall& call, VkResult code, VkDevice device, VkEvent event);
};

}  // namespace gpusan::vulkan
