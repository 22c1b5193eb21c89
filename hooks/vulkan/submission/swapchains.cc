// Swapchains: their images, and the order that acquisition and presentation establish.
#include "hooks/vulkan/submission/swapchains.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "hooks/vulkan/submission/present_semaphores.h"
#include "hooks/vulkan/submission/semaphore_checks.h"
#include "hooks/vulkan/submission/submits.h"
#include "hooks/vulkan/words/sync_masks.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

struct SwapchainState final : Pooled<SwapchainState> {
  SpinLock lock;
  LastUser user;
  VkImageCreateInfo images_info = {};
  std::vector<VkImage> images;  // by index
  // The images among the first 64 that are acquired and not presented since. Bits.
  uint64_t acquired = 0;
  bool shared = false;  // the program may use presented images
  // The tracker's queue for the presentation engine's reads of each image: its reads of different
  // images are unordered. nullptr: not acquired yet.
  std::vector<Queue*> presenters;
  // The work that the last presentation of each image waits for. Guarded by lock.
  std::vector<Snapshot> given;
  // The last presentations that the program can wait for by their id.
  struct Presented {
    uint64_t id = 0;
    Snapshot point;  // the work that the presentation waits for
  };
  std::deque<Presented> presented;
  void Reset() {
    user.Reset();
    given.clear();
    presenters.clear();
    presented.clear();
    images.clear();
    acquired = 0;
    shared = false;
  }
};

namespace {

constexpr uint32_t kMostImages = 64;  // images beyond it share their queues

SwapchainState* StateOf(VkCall& call, VkSwapchainKHR swapchain) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kSwapchain, HandleOf(swapchain), "swapchain"));
  return object != nullptr ? static_cast<SwapchainState*>(object->part) : nullptr;
}

// Needs no lock: acquisitions of one swapchain are externally synchronized (Vulkan 1.3 with
// VK_KHR_swapchain, host synchronization of vkAcquireNextImageKHR).
Queue& PresenterOf(VkCall& call, SwapchainState& state, uint32_t index) {
  if (state.presenters.size() <= index) state.presenters.resize(index + 1);
  Queue*& presenter = state.presenters[index];
  if (presenter == nullptr) {
    // An address in the state, which no other object has as its handle.
    static_assert(sizeof(SwapchainState) >= kMostImages);
    const uintptr_t address = reinterpret_cast<uintptr_t>(&state) + index % kMostImages;
    presenter =
        call.tracker().objects().NewQueue(call, address, call.device().object, true, address);
    presenter->MarkOwned();
    presenter->unlogged = true;
    call.device().presents.store(true, std::memory_order_relaxed);
  }
  return *presenter;
}

// All work that the presentation engine may have waited for: the work of the device's queues,
// without its work for other swapchains.
Snapshot BehindQueues(VkCall& call, const Snapshot& read) {
  Snapshot point = read;
  std::vector<QueueState*> queues;
  {
    std::lock_guard lock(call.device().queues_lock);
    queues = call.device().queues;
  }
  for (QueueState* queue : queues) {
    std::lock_guard lock(queue->lock);
    call.tracker().ordering().JoinPoint(&point, call.tracker().ordering().Snap(*queue->queue));
  }
  return point;
}

// The presentation engine signals the semaphore and the fence, after its last read of the image.
// Returns that read; an invalid epoch if the signal may be observed outside of gpusan's view.
Epoch Acquired(VkCall& call, SwapchainState& state, uint32_t index, VkSemaphore semaphore_handle,
               VkFence fence_handle) {
  Tracker& tracker = call.tracker();
  Queue& presenter = PresenterOf(call, state, std::min(index, kMostImages - 1));
  Snapshot read;
  tracker.ordering().TakePoint(call, presenter, &read);
  Epoch epoch;
  for (Epoch one : read.clock.epochs()) {
    if (one.timeline() == presenter.lanes.front().timeline) epoch = one;
  }
  const SiteId site = call.site();
  if (semaphore_handle != VK_NULL_HANDLE) {
    if (SemaphoreState* semaphore = SemaphoreOf(call, semaphore_handle, "semaphore")) {
      const Snapshot point = BehindQueues(call, read);
      std::lock_guard lock(semaphore->lock);
      semaphore->signals.Reset(0);
      semaphore->signals.Add({0, point, &call.info(), site});
      if (semaphore->foreign) epoch = Epoch();
    }
  }
  if (fence_handle == VK_NULL_HANDLE) return epoch;
  if (FenceState* fence = FenceOf(call, fence_handle, "fence")) {
    // The image becomes available after its last presentation, which waited for this work.
    {
      std::lock_guard lock(state.lock);
      if (index < state.given.size()) tracker.ordering().JoinPoint(&read, state.given[index]);
    }
    std::lock_guard lock(fence->lock);
    fence->point = std::move(read);
    fence->submitted = true;
    fence->signaled = false;
    fence->presents = true;
    fence->submit_call = &call.info();
    fence->submit_site = site;
    if (fence->foreign) epoch = Epoch();
  }
  return epoch;
}

// nullptr: the program did not retrieve the image, or it is destroyed.
Resource* ImageAt(VkCall& call, SwapchainState& state, uint32_t index) {
  VkImage handle;
  {
    std::lock_guard lock(state.lock);
    if (index >= state.images.size()) return nullptr;
    handle = state.images[index];
  }
  Object* image = call.tracker().objects().Find(Api::kVulkan, ObjectKind::kImage, HandleOf(handle));
  return image != nullptr && image->live() ? static_cast<Resource*>(image) : nullptr;
}

// Sets whether the program may use the image. Returns whether it could before.
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

ScopedAccess ReadOfPresenter(const ImageState& image, Epoch epoch, VkCall& call) {
  ScopedAccess read;
  read.extent = ImagePart{image.aspects, 0, image.mips, 0, image.layers, {}, {}};
  read.epoch = epoch;
  read.call = &call.info();
  read.site = call.site();
  return read;
}

// Marks the image as acquired: the program may use it after a wait for the semaphore or fence.
void TakeImage(VkCall& call, VkSwapchainKHR handle, VkSemaphore semaphore, VkFence fence,
               uint32_t index) {
  SwapchainState* state = StateOf(call, handle);
  if (state == nullptr) return;
  ForgetPresentSemaphores(handle, index);
  const Epoch read = Acquired(call, *state, index, semaphore, fence);
  SetAcquired(call, *state, index, true);
  Resource* resource = ImageAt(call, *state, index);
  if (resource == nullptr || state->shared || !read.valid()) return;
  ImageState& image = ImageOf(*resource);
  std::lock_guard lock(image.lock);
  image.history.Note(ReadOfPresenter(image, read, call));
}

// Reports accesses of the program that are not ordered before the presentation engine's read by a
// semaphore or the host. No stage of a barrier includes presentation.
void CheckOrder(VkCall& call, QueueState& queue, Resource& resource) {
  constexpr uint64_t kPresenting = uint64_t{1} << 63;
  static_assert((kPresenting & kAnyStage) != 0);
  Tracker& tracker = call.tracker();
  std::lock_guard queue_lock(queue.lock);
  const Snapshot behind = tracker.ordering().Snap(*queue.queue);
  ImageState& image = ImageOf(resource);
  ScopedAccess earlier, later;
  bool found = false;
  {
    std::lock_guard lock(image.lock);
    later = ReadOfPresenter(image, Epoch(queue.timeline(), 1), call);
    later.stage = kPresenting;
    image.history.VisitConflicts(later, {queue.order, behind.clock, tracker.ordering().host()},
                                 [&](const ScopedConflict& conflict) {
                                   found = true;
                                   earlier = *conflict.earlier;
                                 });
  }
  if (!found) return;
  Access first, second;
  first.region = second.region = Region::Linear(0, 1);
  first.epoch = earlier.epoch;
  first.call = earlier.call;
  first.site = earlier.site;
  first.write = second.read = true;
  second.call = later.call;
  second.site = later.site;
  Conflict conflict;
  conflict.resource = &resource;
  conflict.earlier = &first;
  conflict.later = &second;
  conflict.earlier_label = earlier.label;
  rules::OnConflict(conflict, call);
}

// Checks that the image is acquired, and in the layout that the presentation engine reads. Returns
// whether it was acquired.
bool Present(VkCall& call, QueueState& queue, VkSwapchainKHR handle, uint32_t index) {
  SwapchainState* state = StateOf(call, handle);
  if (state == nullptr) return false;
  if (index < kMostImages) {
    Snapshot point;
    {
      std::lock_guard lock(queue.lock);
      point = call.tracker().ordering().Snap(*queue.queue);
    }
    std::lock_guard lock(state->lock);
    if (state->given.size() <= index) state->given.resize(index + 1);
    state->given[index] = std::move(point);
  }
  Resource* image = ImageAt(call, *state, index);
  if (!SetAcquired(call, *state, index, false)) {
    SyncMisuse misuse;
    misuse.object = image;
    misuse.fault = SyncMisuse::Fault::kPresentsUnacquired;
    misuse.vuid = "VUID-VkPresentInfoKHR-pImageIndices-01430";
    misuse.value = index;
    rules::OnSyncMisuse(misuse, call);
    return false;
  }
  // While batches are parked, the layout and the order are unknown. An image that shares the memory
  // of this one may have changed the layout.
  if (image == nullptr || state->shared ||
      call.device().binds_swapchain_images.load(std::memory_order_relaxed) ||
      call.device().parked.load(std::memory_order_acquire) != 0)
    return true;
  CheckOrder(call, queue, *image);
  ImageState& known = ImageOf(*image);
  rules::LayoutUse use;
  {
    std::lock_guard lock(known.lock);
    const SubresourceRange all = {0, known.mips, 0, known.layers};
    const auto mismatch = known.layouts.Check(all, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
    // The layout for shared presentable images is allowed, too.
    if (!mismatch || !known.layouts.Check(all, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR) ||
        layouts_unknown.load(std::memory_order_relaxed))
      return true;
    use.mismatch = *mismatch;
  }
  use.resource = image;
  // The same rule is 01296 in specifications without VK_KHR_shared_presentable_image, which these
  // headers have.
  use.vuid = "VUID-VkPresentInfoKHR-pImageIndices-01430";
  rules::OnLayoutUse(use, call);
  return true;
}

bool Succeeded(VkResult code) { return code == VK_SUCCESS || code == VK_SUBOPTIMAL_KHR; }

}  // namespace

void UseSwapchainAlone(VkCall& call, UsesOfCall& uses, VkSwapchainKHR swapchain) {
  UseObjectAlone<SwapchainState>(call, uses, ObjectKind::kSwapchain, HandleOf(swapchain));
}

void CreateSwapchain::After(VkCall& call, VkResult code, VkDevice,
                            const VkSwapchainCreateInfoKHR* info, const VkAllocationCallbacks*,
                            VkSwapchainKHR* swapchain) {
  if (code != VK_SUCCESS) return;
  // Images of a retired swapchain are not acquired again.
  ForgetAllPresentSemaphores();
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
  images.usage = ImageUsageOf(info->pNext, info->imageUsage);
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
    Object* known =
        call.tracker().objects().Find(Api::kVulkan, ObjectKind::kImage, HandleOf(image));
    if (known == nullptr || !known->live()) continue;
    ScopedState& image_state = ScopedOf(static_cast<Resource&>(*known));
    CheckNotPending(call, *known, image_state.used, image_state.lock,
                    rules::PendingUse::Act::kDestroy, "VUID-vkDestroySwapchainKHR-swapchain-01282");
    call.tracker().objects().Release(call, known, true);
  }
  for (Queue* presenter : std::exchange(state.presenters, {})) {
    if (presenter != nullptr) call.tracker().objects().Release(call, presenter, true);
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
    image->MarkOwned();
    ScopedOf(*image).not_acquired.store(!acquired, std::memory_order_relaxed);
  }
}

void AcquireNextImage::Before(VkCall& call, VkDevice, VkSwapchainKHR swapchain, uint64_t,
                              VkSemaphore semaphore, VkFence fence, uint32_t*) {
  CheckAcquisition(call, swapchain, semaphore, fence);
}

void AcquireNextImage2::Before(VkCall& call, VkDevice, const VkAcquireNextImageInfoKHR* info,
                               uint32_t*) {
  CheckAcquisition(call, info->swapchain, info->semaphore, info->fence);
}

void AcquireNextImage::After(VkCall& call, VkResult code, VkDevice, VkSwapchainKHR swapchain,
                             uint64_t, VkSemaphore semaphore, VkFence fence, uint32_t* index) {
  if (!Succeeded(code)) return;
  TakeImage(call, swapchain, semaphore, fence, *index);
}

void AcquireNextImage2::After(VkCall& call, VkResult code, VkDevice,
                              const VkAcquireNextImageInfoKHR* info, uint32_t* index) {
  if (!Succeeded(code)) return;
  TakeImage(call, info->swapchain, info->semaphore, info->fence, *index);
}

namespace {

void CheckPresentFences(VkCall& call, const VkPresentInfoKHR& info) {
  const auto* fences = FindInChain<VkSwapchainPresentFenceInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT);
  if (fences == nullptr || fences->pFences == nullptr) [[likely]]
    return;
  for (uint32_t i = 0; i < fences->swapchainCount; ++i) {
    auto* fence = FindPart<FenceState>(call, ObjectKind::kFence, HandleOf(fences->pFences[i]));
    if (fence != nullptr)
      CheckFence(call, *fence, fences->pFences[i],
                 rules::SyncStateUse::Fault::kPresentFenceSignaled,
                 rules::SyncStateUse::Fault::kPresentFenceInUse);
  }
}

}  // namespace

void QueuePresent::UseAlone(VkCall& call, UsesOfCall& uses, VkQueue queue,
                            const VkPresentInfoKHR* info) {
  UseQueueAlone(call, uses, queue);
  for (uint32_t i = 0; i < info->swapchainCount; ++i)
    UseSwapchainAlone(call, uses, info->pSwapchains[i]);
  const auto* fences = FindInChain<VkSwapchainPresentFenceInfoEXT>(
      info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT);
  for (uint32_t i = 0;
       fences != nullptr && fences->pFences != nullptr && i < fences->swapchainCount; ++i)
    GiveFence(call, uses, fences->pFences[i]);
}

void QueuePresent::Before(VkCall& call, VkQueue handle, const VkPresentInfoKHR* info) {
  QueueState* queue = vulkan::StateOf(call, handle);
  if (queue == nullptr || queue->device.lost.load(std::memory_order_relaxed)) return;
  CheckPresentFences(call, *info);
  if (info->waitSemaphoreCount != 0) {
    auto batch = std::make_unique<Batch>();
    batch->call = &call.info();
    batch->site = call.site();
    for (uint32_t i = 0; i < info->waitSemaphoreCount; ++i) {
      const Batch::Semaphore wait =
          BatchSemaphore(call, info->pWaitSemaphores[i], 0, kAnyStage, "pWaitSemaphores[]");
      bool pending = false;
      if (wait.state != nullptr) {
        std::lock_guard lock(wait.state->lock);
        pending = wait.state->signals.pending();
        if (!wait.state->timeline) batch->waits.push_back(wait);
      }
      if (wait.state != nullptr && wait.state->timeline) [[unlikely]]
        ReportSync(call, ObjectKind::kSemaphore, wait.object->handle,
                   rules::SyncStateUse::Fault::kPresentsTimeline);
      waited.push_back(pending);
    }
    Submit(call, *queue, std::move(batch));
    // Another thread may have signaled before the batch was parked.
    RunParked(call, queue->device);
  }
  for (uint32_t i = 0; i < info->swapchainCount; ++i)
    gave.push_back(Present(call, *queue, info->pSwapchains[i], info->pImageIndices[i]));
}

namespace {

// Remembers the presentation for a wait by its fence or id, which shows that all work that the
// presentation waits for is complete.
void NoteLearnable(VkCall& call, QueueState& queue, const VkPresentInfoKHR& info) {
  const auto* fences = FindInChain<VkSwapchainPresentFenceInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT);
  const auto* ids = FindInChain<VkPresentIdKHR>(info.pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
  // Both structures of ids have the same members.
  const auto* ids2 = FindInChain<later::VkPresentId2KHR>(info.pNext, later::kPresentId2);
  if (fences == nullptr && ids == nullptr && ids2 == nullptr) [[likely]]
    return;
  Snapshot point;
  {
    std::lock_guard lock(queue.lock);
    point = call.tracker().ordering().Snap(*queue.queue);
  }
  const SiteId site = call.site();
  for (uint32_t i = 0;
       fences != nullptr && fences->pFences != nullptr && i < fences->swapchainCount; ++i) {
    if (fences->pFences[i] == VK_NULL_HANDLE) continue;
    FenceState* fence = FenceOf(call, fences->pFences[i], "pFences[]");
    if (fence == nullptr) continue;
    std::lock_guard lock(fence->lock);
    fence->point = point;
    fence->submitted = fence->presents = true;
    fence->signaled = false;
    fence->submit_call = &call.info();
    fence->submit_site = site;
  }
  constexpr size_t kMostPresented = 16;
  auto keep = [&](const auto* given) {
    for (uint32_t i = 0; given != nullptr && given->pPresentIds != nullptr &&
                         i < std::min(given->swapchainCount, info.swapchainCount);
         ++i) {
      SwapchainState* state =
          given->pPresentIds[i] != 0 ? StateOf(call, info.pSwapchains[i]) : nullptr;
      if (state == nullptr) continue;
      std::lock_guard lock(state->lock);
      state->presented.push_back({given->pPresentIds[i], point});
      if (state->presented.size() > kMostPresented) state->presented.pop_front();
    }
  };
  keep(ids);
  keep(ids2);
}

// A shared presentable image may be acquired only once.
void NoteWaits(VkCall& call, const VkPresentInfoKHR& info) {
  if (info.swapchainCount != 1 || info.waitSemaphoreCount == 0) return;
  const SwapchainState* state = StateOf(call, info.pSwapchains[0]);
  if (state != nullptr && !state->shared) NotePresentSemaphores(call, info);
}

}  // namespace

void WaitForPresent::After(VkCall& call, VkResult code, VkDevice, VkSwapchainKHR handle,
                           uint64_t id, uint64_t) {
  if (!Succeeded(code)) return;
  SwapchainState* state = StateOf(call, handle);
  if (state == nullptr) return;
  std::vector<Snapshot> points;
  {
    std::lock_guard lock(state->lock);
    // Ids increase. A later presentation covers ids that are no longer kept.
    while (!state->presented.empty() && state->presented.front().id <= id) {
      points.push_back(std::move(state->presented.front().point));
      state->presented.pop_front();
    }
  }
  for (const Snapshot& point : points) call.tracker().ordering().WaitSnapshot(point);
}

void WaitForPresent2::After(VkCall& call, VkResult code, VkDevice device, VkSwapchainKHR swapchain,
                            const void* argument) {
  const auto* info = static_cast<const later::VkPresentWait2InfoKHR*>(argument);
  if (info != nullptr)
    WaitForPresent().After(call, code, device, swapchain, info->presentId, info->timeout);
}

void ReleaseSwapchainImages::After(VkCall& call, VkResult code, VkDevice, const void* argument) {
  const auto* info = static_cast<const later::VkReleaseSwapchainImagesInfoKHR*>(argument);
  if (code != VK_SUCCESS || info == nullptr || info->pImageIndices == nullptr) return;
  SwapchainState* state = StateOf(call, info->swapchain);
  if (state == nullptr) return;
  for (uint32_t i = 0; i < info->imageIndexCount; ++i)
    SetAcquired(call, *state, info->pImageIndices[i], false);
}

void QueuePresent::After(VkCall& call, VkResult code, VkQueue handle,
                         const VkPresentInfoKHR* info) {
  if (QueueState* queue = vulkan::StateOf(call, handle); queue != nullptr && Succeeded(code)) {
    NoteLearnable(call, *queue, *info);
    NoteWaits(call, *info);
  }
  // Only these results leave images and semaphores unchanged. With all others the images are
  // released and the semaphores waited for (Vulkan 1.3 with VK_KHR_swapchain §34.10).
  if (code != VK_ERROR_OUT_OF_HOST_MEMORY && code != VK_ERROR_OUT_OF_DEVICE_MEMORY) return;
  QueueState* queue = vulkan::StateOf(call, handle);
  if (queue == nullptr) return;
  for (uint32_t i = 0; i < gave.size(); ++i) {
    SwapchainState* state = StateOf(call, info->pSwapchains[i]);
    if (gave[i] && state != nullptr) SetAcquired(call, *state, info->pImageIndices[i], true);
  }
  for (uint32_t i = 0; i < waited.size(); ++i) {
    SemaphoreState* semaphore =
        waited[i] ? SemaphoreOf(call, info->pWaitSemaphores[i], "pWaitSemaphores[]") : nullptr;
    if (semaphore == nullptr) continue;
    // The queue has waited for the signal by now.
    const Snapshot point = call.tracker().ordering().Snap(*queue->queue);
    std::lock_guard lock(semaphore->lock);
    if (!semaphore->signals.pending())
      semaphore->signals.Add({0, point, &call.info(), call.site()});
  }
}

}  // namespace gpusan::vulkan
