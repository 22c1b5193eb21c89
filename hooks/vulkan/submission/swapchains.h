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
  AfterOf<PFN_vkCreateSwapchainKHR> After;
};
struct DestroySwapchain {
  BeforeOf<PFN_vkDestroySwapchainKHR> Before;
};
struct GetSwapchainImages {
  AfterOf<PFN_vkGetSwapchainImagesKHR> After;
};
struct AcquireNextImage {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkSwapchainKHR swapchain, uint64_t,
                       VkSemaphore, VkFence fence, uint32_t*) {
    UseSwapchainAlone(call, uses, swapchain);
    GiveFence(call, uses, fence);
  }
  BeforeOf<PFN_vkAcquireNextImageKHR> Before;
  AfterOf<PFN_vkAcquireNextImageKHR> After;
};
struct AcquireNextImage2 {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice,
                       const VkAcquireNextImageInfoKHR* info, uint32_t*) {
    UseSwapchainAlone(call, uses, info->swapchain);
    GiveFence(call, uses, info->fence);
  }
  BeforeOf<PFN_vkAcquireNextImage2KHR> Before;
  AfterOf<PFN_vkAcquireNextImage2KHR> After;
};
struct WaitForPresent {
  AfterOf<PFN_vkWaitForPresentKHR> After;
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
  BeforeOf<PFN_vkQueuePresentKHR> Before;
  AfterOf<PFN_vkQueuePresentKHR> After;
  // Acquired images, and semaphores that were waited for, in the order of `info`.
  std::vector<bool> gave;
  std::vector<bool> waited;
};

}  // namespace gpusan::vulkan
