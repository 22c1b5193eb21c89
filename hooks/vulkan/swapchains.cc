// See the header.
#include "hooks/vulkan/swapchains.h"

#include <algorithm>
#include <mutex>

#include "hooks/vulkan/images.h"
#include "hooks/vulkan/masks.h"
#include "hooks/vulkan/submits.h"

namespace gpusan::vulkan {

struct SwapchainState final : Pooled<SwapchainState> {
  SpinLock lock;
  VkImageCreateInfo images_info = {};
  std::vector<VkImage> images;
  void Reset() { images.clear(); }
};

namespace {

SwapchainState* StateOf(VkCall& call, VkSwapchainKHR swapchain) {
  auto* object = static_cast<PlainObject*>(
      call.tracker().Use(call, ObjectKind::kSwapchain, HandleOf(swapchain), "swapchain"));
  return object != nullptr ? static_cast<SwapchainState*>(object->part) : nullptr;
}

// The presentation engine signals both, in an order that nobody sees.
void Acquired(VkCall& call, VkSemaphore semaphore_handle, VkFence fence_handle) {
  if (semaphore_handle != VK_NULL_HANDLE) {
    if (SemaphoreState* semaphore = SemaphoreOf(call, semaphore_handle, "semaphore")) {
      const Snapshot point = call.tracker().SnapAll();
      const SiteId site = call.site();
      std::lock_guard lock(semaphore->lock);
      semaphore->signals.Reset(0);
      semaphore->signals.Add({0, point, &call.info(), site});
    }
  }
  if (fence_handle == VK_NULL_HANDLE) return;
  if (FenceState* fence = FenceOf(call, fence_handle, "fence")) {
    const SiteId site = call.site();
    std::lock_guard lock(fence->lock);
    fence->point = Snapshot();
    fence->submitted = true;
    fence->signaled = false;
    fence->submit_call = &call.info();
    fence->submit_site = site;
  }
}

bool Succeeded(VkResult code) { return code == VK_SUCCESS || code == VK_SUBOPTIMAL_KHR; }

}  // namespace

void CreateSwapchain::After(VkCall& call, VkResult code, VkDevice,
                            const VkSwapchainCreateInfoKHR* info, const VkAllocationCallbacks*,
                            VkSwapchainKHR* swapchain) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<SwapchainState>(call, ObjectKind::kSwapchain, HandleOf(*swapchain));
  if (state == nullptr) return;
  VkImageCreateInfo& images = state->images_info;
  images = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  images.imageType = VK_IMAGE_TYPE_2D;
  images.format = info->imageFormat;
  images.extent = {info->imageExtent.width, info->imageExtent.height, 1};
  images.mipLevels = 1;
  images.arrayLayers = info->imageArrayLayers;
  images.samples = VK_SAMPLE_COUNT_1_BIT;
  images.usage = info->imageUsage;
  images.sharingMode = info->imageSharingMode;
  images.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
}

void DestroySwapchain::Before(VkCall& call, VkDevice, VkSwapchainKHR handle,
                              const VkAllocationCallbacks*) {
  Object* object = UseForDestroy(call, ObjectKind::kSwapchain, HandleOf(handle), "swapchain");
  if (object == nullptr) return;
  auto& state = static_cast<SwapchainState&>(*static_cast<PlainObject*>(object)->part);
  for (VkImage image : state.images) {
    Object* known = call.tracker().Find(Api::kVulkan, ObjectKind::kImage, HandleOf(image));
    if (known == nullptr || !known->live()) continue;
    ScopedState& image_state = ScopedOf(static_cast<Resource&>(*known));
    CheckNotPending(call, *known, image_state.used, image_state.lock,
                    rules::PendingUse::Act::kDestroy, "VUID-vkDestroySwapchainKHR-swapchain-01282");
    call.tracker().Release(call, known, true);
  }
  Destroy(call, object);
}

void GetSwapchainImages::After(VkCall& call, VkResult code, VkDevice, VkSwapchainKHR swapchain,
                               uint32_t* count, VkImage* images) {
  if (images == nullptr || (code != VK_SUCCESS && code != VK_INCOMPLETE)) return;
  SwapchainState* state = StateOf(call, swapchain);
  if (state == nullptr) return;
  for (uint32_t i = 0; i < *count; ++i) {
    {
      std::lock_guard lock(state->lock);
      if (std::find(state->images.begin(), state->images.end(), images[i]) != state->images.end())
        continue;
      state->images.push_back(images[i]);
    }
    KeepImage(call, images[i], state->images_info, true)->owned = true;
  }
}

void AcquireNextImage::After(VkCall& call, VkResult code, VkDevice, VkSwapchainKHR, uint64_t,
                             VkSemaphore semaphore, VkFence fence, uint32_t*) {
  if (Succeeded(code)) Acquired(call, semaphore, fence);
}

void AcquireNextImage2::After(VkCall& call, VkResult code, VkDevice,
                              const VkAcquireNextImageInfoKHR* info, uint32_t*) {
  if (Succeeded(code)) Acquired(call, info->semaphore, info->fence);
}

void QueuePresent::Before(VkCall& call, VkQueue handle, const VkPresentInfoKHR* info) {
  QueueState* queue = vulkan::StateOf(call, handle);
  if (queue == nullptr || info->waitSemaphoreCount == 0) return;
  auto batch = std::make_unique<Batch>();
  batch->call = &call.info();
  batch->site = call.site();
  for (uint32_t i = 0; i < info->waitSemaphoreCount; ++i) {
    const Batch::Semaphore wait =
        BatchSemaphore(call, info->pWaitSemaphores[i], 0, kAnyStage, "pWaitSemaphores[]");
    if (wait.state != nullptr) batch->waits.push_back(wait);
  }
  Submit(call, *queue, std::move(batch));
  // Somebody may have signalled while it was about to be parked.
  RunParked(call, queue->device);
}

}  // namespace gpusan::vulkan
