// Swapchains: their images, and the order that acquisition and presentation establish.
#pragma once

#include <vector>

#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {

struct SwapchainState;

// The call uses the swapchain until `uses` is destroyed. Adds a finding if another thread is inside
// of a call that uses it.
void UseSwapchainAlone(VkCall& call, UsesOfCall& uses, VkSwapchainKHR swapchain);

struct CreateSwapchain {
  void After(VkCall& call, VkResult code, VkDevice device, const VkSwapchainCreateInfoKHR* info,
             const VkAllocationCallbacks* allocator, VkSwapchainKHR* swapchain);
};
struct DestroySwapchain {
  void Before(VkCall& call, VkDevice device, VkSwapchainKHR swapchain,
              const VkAllocationCallbacks* allocator);
};
struct GetSwapchainImages {
  void After(VkCall& call, VkResult code, VkDevice device, VkSwapchainKHR swapchain,
             uint32_t* count, VkImage* images);
};
struct AcquireNextImage {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkSwapchainKHR swapchain, uint64_t,
                       VkSemaphore, VkFence fence, uint32_t*) {
    UseSwapchainAlone(call, uses, swapchain);
    GiveFence(call, uses, fence);
  }
  void Before(VkCall& call, VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout,
              VkSemaphore semaphore, VkFence fence, uint32_t* index);
  void After(VkCall& call, VkResult code, VkDevice device, VkSwapchainKHR swapchain,
             uint64_t timeout, VkSemaphore semaphore, VkFence fence, uint32_t* index);
};
struct AcquireNextImage2 {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice,
                       const VkAcquireNextImageInfoKHR* info, uint32_t*) {
    UseSwapchainAlone(call, uses, info->swapchain);
    GiveFence(call, uses, info->fence);
  }
  void Before(VkCall& call, VkDevice device, const VkAcquireNextImageInfoKHR* info,
              uint32_t* index);
  void After(VkCall& call, VkResult code, VkDevice device, const VkAcquireNextImageInfoKHR* info,
             uint32_t* index);
};
struct WaitForPresent {
  void After(VkCall& call, VkResult code, VkDevice device, VkSwapchainKHR swapchain, uint64_t id,
             uint64_t timeout);
};
// `info`: VkPresentWait2InfoKHR.
struct WaitForPresent2 {
  void After(VkCall& call, VkResult code, VkDevice device, VkSwapchainKHR swapchain,
             const void* info);
};
// `info`: VkReleaseSwapchainImagesInfoKHR.
struct ReleaseSwapchainImages {
  void After(VkCall& call, VkResult code, VkDevice device, const void* info);
};
struct QueuePresent {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkQueue queue, const VkPresentInfoKHR* info);
  void Before(VkCall& call, VkQueue queue, const VkPresentInfoKHR* info);
  void After(VkCall& call, VkResult code, VkQueue queue, const VkPresentInfoKHR* info);
  // Acquired images, and semaphores that were waited for, in the order of `info`.
  std::vector<bool> gave;
  std::vector<bool> waited;
};

}  // namespace gpusan::vulkan
