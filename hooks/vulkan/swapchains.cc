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
  std::vector<VkImage> images;  // by index
  // Which of the first 64 the program has acquired, and not presented since. Bits.
  uint64_t acquired = 0;
  bool shared = false;  // presented images stay the program's
  void Reset() {
    images.clear();
    acquired = 0;
    shared = false;
  }
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

// nullptr: nobody has asked for it, or it is gone.
Resource* ImageAt(VkCall& call, SwapchainState& state, uint32_t index) {
  VkImage handle;
  {
    std::lock_guard lock(state.lock);
    if (index >= state.images.size()) return nullptr;
    handle = state.images[index];
  }
  Object* image = call.tracker().Find(Api::kVulkan, ObjectKind::kImage, HandleOf(handle));
  return image != nullptr && image->live() ? static_cast<Resource*>(image) : nullptr;
}

// The program may use the image from now on, or may not any more. True: it was so before.
bool SetAcquired(VkCall& call, SwapchainState& state, uint32_t index, bool acquired) {
  if (state.shared || index >= 64) return !acquired;
  bool before;
  {
    std::lock_guard lock(state.lock);
    const uint64_t bit = uint64_t{1} << index;
    before = (state.acquired & bit) != 0;
    state.acquired = acquired ? state.acquired | bit : state.acquired & ~bit;
  }
  if (Resource* image = ImageAt(call, state, index); image != nullptr)
    ScopedOf(*image).not_acquired.store(!acquired, std::memory_order_relaxed);
  return before;
}

// The image must be acquired, and in the layout that the presentation engine reads.
void Present(VkCall& call, VkSwapchainKHR handle, uint32_t index) {
  SwapchainState* state = StateOf(call, handle);
  if (state == nullptr) return;
  Resource* image = ImageAt(call, *state, index);
  if (!SetAcquired(call, *state, index, false)) {
    SyncMisuse misuse;
    misuse.object = image;
    misuse.what = absl::StrCat("image ", index, " of a swapchain is presented, and not acquired");
    misuse.why =
        "only an image that an acquisition has returned, and that was not presented since, may be "
        "presented (VUID-VkPresentInfoKHR-pImageIndices-01430)";
    misuse.fix =
        "present each acquired image once, by the index that vkAcquireNextImageKHR returned";
    call.tracker().CheckSyncMisuse(call, misuse);
    return;
  }
  // While batches are parked nobody knows the layout.
  if (image == nullptr || state->shared ||
      call.device().parked.load(std::memory_order_acquire) != 0)
    return;
  ImageState& known = ImageOf(*image);
  rules::LayoutUse use;
  {
    std::lock_guard lock(known.lock);
    const auto mismatch =
        known.layouts.Check({0, known.mips, 0, known.layers}, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    if (!mismatch) return;
    use.mismatch = *mismatch;
  }
  use.resource = image;
  use.vuid = "VUID-VkPresentInfoKHR-pImageIndices-01430";
  rules::OnLayoutUse(use, call);
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
  state->shared = info->presentMode == VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR ||
                  info->presentMode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR;
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
    bool acquired;
    {
      std::lock_guard lock(state->lock);
      if (std::find(state->images.begin(), state->images.end(), images[i]) != state->images.end())
        continue;
      const size_t index = state->images.size();
      acquired = state->shared || index >= 64 || (state->acquired >> index & 1) != 0;
      state->images.push_back(images[i]);
    }
    Resource* image = KeepImage(call, images[i], state->images_info, true);
    image->owned = true;
    ScopedOf(*image).not_acquired.store(!acquired, std::memory_order_relaxed);
  }
}

void AcquireNextImage::After(VkCall& call, VkResult code, VkDevice, VkSwapchainKHR swapchain,
                             uint64_t, VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  if (!Succeeded(code)) return;
  Acquired(call, semaphore, fence);
  if (SwapchainState* state = StateOf(call, swapchain)) SetAcquired(call, *state, *index, true);
}

void AcquireNextImage2::After(VkCall& call, VkResult code, VkDevice,
                              const VkAcquireNextImageInfoKHR* info, uint32_t* index) {
  if (!Succeeded(code)) return;
  Acquired(call, info->semaphore, info->fence);
  if (SwapchainState* state = StateOf(call, info->swapchain))
    SetAcquired(call, *state, *index, true);
}

void QueuePresent::Before(VkCall& call, VkQueue handle, const VkPresentInfoKHR* info) {
  QueueState* queue = vulkan::StateOf(call, handle);
  if (queue == nullptr) return;
  if (info->waitSemaphoreCount != 0) {
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
  // Whatever comes of it, the images are given away.
  for (uint32_t i = 0; i < info->swapchainCount; ++i)
    Present(call, info->pSwapchains[i], info->pImageIndices[i]);
}

}  // namespace gpusan::vulkan
