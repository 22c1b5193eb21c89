// See the header.
#include "hooks/vulkan/objects/sync_objects.h"

#include <algorithm>
#include <mutex>

#include "hooks/vulkan/mapped/map_guards.h"
#include "hooks/vulkan/submission/submits.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
void FenceState::Reset() {
  point.clock.Clear();
  point.gates = 0;
  signaled = submitted = foreign = presents = false;
}

void SemaphoreState::Reset() {
  timeline = foreign = false;
  signals.Reset(0);
  parked_signals = 0;
  used.Clear();
}

FenceState* FenceOf(VkCall& call, VkFence fence, const char* argument) {
  return UsePart<FenceState>(call, ObjectKind::kFence, HandleOf(fence), argument);
}
SemaphoreState* SemaphoreOf(VkCall& call, VkSemaphore semaphore, const char* argument) {
  return UsePart<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(semaphore), argument);
}

void ObserveFence(VkCall& call, VkFence handle) {
  FenceState* fence = FenceOf(call, handle, "fence");
  if (fence == nullptr) return;
  Snapshot point;
  {
    std::lock_guard lock(fence->lock);
    if (fence->signaled || !fence->submitted) return;
    fence->signaled = true;
    fence->submitted = false;
    point = fence->point;
  }
  call.tracker().WaitSnapshot(point);
  SettleGuards(call);
}

void ObserveSemaphore(VkCall& call, VkSemaphore handle, uint64_t value) {
  SemaphoreState* semaphore = SemaphoreOf(call, handle, "semaphore");
  if (semaphore == nullptr) return;
  std::vector<Snapshot> points;
  {
    std::lock_guard lock(semaphore->lock);
    points = semaphore->signals.Observe(value);
  }
  for (const Snapshot& point : points) call.tracker().WaitSnapshot(point);
  // A value that others have brought may be what something waits for.
  RunParked(call, call.device());
  SettleGuards(call);
}

void CreateFence::After(VkCall& call, VkResult code, VkDevice, const VkFenceCreateInfo* info,
                        const VkAllocationCallbacks*, VkFence* fence) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<FenceState>(call, ObjectKind::kFence, HandleOf(*fence));
  if (state == nullptr) return;
  state->signaled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
}

void DestroyFence::Before(VkCall& call, VkDevice, VkFence handle, const VkAllocationCallbacks*) {
  Object* object = UseForDestroy(call, ObjectKind::kFence, HandleOf(handle), "fence");
  if (object == nullptr) return;
  auto& fence = static_cast<FenceState&>(*static_cast<PlainObject*>(object)->part);
  rules::PendingUse use;
  {
    std::lock_guard lock(fence.lock);
    for (Epoch epoch : fence.point.clock.epochs()) {
      if (fence.submitted && !fence.presents && !fence.foreign &&
          !call.tracker().host().Completed(epoch))
        use.pending = fence.submit_call;
    }
    use.site = fence.submit_site;
  }
  if (use.pending != nullptr) {
    use.object = object;
    use.vuid = "VUID-vkDestroyFence-fence-01120";
    rules::OnPendingUse(use, call);
  }
  Destroy(call, object);
}

void ResetFences::Before(VkCall& call, VkDevice, uint32_t count, const VkFence* fences) {
  for (uint32_t i = 0; i < count; ++i) {
    FenceState* fence = FenceOf(call, fences[i], "pFences[]");
    if (fence == nullptr) continue;
    std::lock_guard lock(fence->lock);
    fence->signaled = fence->submitted = fence->presents = false;
    fence->point.clock.Clear();
    fence->point.gates = 0;
  }
}

void GetFenceStatus::After(VkCall& call, VkResult code, VkDevice, VkFence fence) {
  if (code == VK_SUCCESS) ObserveFence(call, fence);
}

void WaitForFences::After(VkCall& call, VkResult code, VkDevice device, uint32_t count,
                          const VkFence* fences, VkBool32 wait_all, uint64_t) {
  if (code != VK_SUCCESS) return;
  const bool all = wait_all != VK_FALSE || count == 1;
  const auto status = GPUSAN_VK_NEXT(&call.device(), vkGetFenceStatus);
  // Who waits for all of a queue's submissions names the last one last: with it the others are
  // known.
  for (uint32_t i = count; i-- > 0;) {
    if (all || status(device, fences[i]) == VK_SUCCESS) ObserveFence(call, fences[i]);
  }
}

void CreateSemaphore::After(VkCall& call, VkResult code, VkDevice,
                            const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks*,
                            VkSemaphore* semaphore) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(*semaphore));
  if (state == nullptr) return;
  const auto* type = FindInChain<VkSemaphoreTypeCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  if (type != nullptr && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE) {
    state->timeline = true;
    state->signals.Reset(type->initialValue);
  }
}

void GetSemaphoreCounterValue::After(VkCall& call, VkResult code, VkDevice, VkSemaphore semaphore,
                                     uint64_t* value) {
  if (code == VK_SUCCESS) ObserveSemaphore(call, semaphore, *value);
}

void WaitSemaphores::After(VkCall& call, VkResult code, VkDevice device,
                           const VkSemaphoreWaitInfo* info, uint64_t) {
  if (code != VK_SUCCESS) return;
  if ((info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) == 0 || info->semaphoreCount == 1) {
    for (uint32_t i = 0; i < info->semaphoreCount; ++i)
      ObserveSemaphore(call, info->pSemaphores[i], info->pValues[i]);
    return;
  }
  auto ask = GPUSAN_VK_NEXT(&call.device(), vkGetSemaphoreCounterValue);
  if (ask == nullptr) ask = GPUSAN_VK_NEXT(&call.device(), vkGetSemaphoreCounterValueKHR);
  for (uint32_t i = 0; i < info->semaphoreCount && ask != nullptr; ++i) {
    uint64_t value = 0;
    if (ask(device, info->pSemaphores[i], &value) == VK_SUCCESS)
      ObserveSemaphore(call, info->pSemaphores[i], value);
  }
}

void SignalSemaphore::Before(VkCall& call, VkDevice, const VkSemaphoreSignalInfo* info) {
  const Batch::Semaphore signal =
      BatchSemaphore(call, info->semaphore, info->value, 0, "pSignalInfo->semaphore");
  if (signal.state == nullptr) return;
  AddSignal(call, signal, {info->value, Snapshot(), &call.info(), call.site()});
  RunParked(call, call.device());
}

void ImportSemaphoreFd::After(VkCall& call, VkResult code, VkDevice,
                              const VkImportSemaphoreFdInfoKHR* info) {
  if (code != VK_SUCCESS) return;
  if (SemaphoreState* semaphore = SemaphoreOf(call, info->semaphore, "semaphore"))
    semaphore->foreign = true;
}

void GetSemaphoreFd::After(VkCall& call, VkResult code, VkDevice,
                           const VkSemaphoreGetFdInfoKHR* info, int*) {
  if (code != VK_SUCCESS) return;
  SemaphoreState* semaphore = SemaphoreOf(call, info->semaphore, "semaphore");
  if (semaphore == nullptr) return;
  // What the presentation engine signals may be waited for where nobody sees it.
  Snapshot point;
  {
    std::lock_guard lock(semaphore->lock);
    semaphore->foreign = true;
    if (call.device().presents.load(std::memory_order_relaxed) && !semaphore->timeline &&
        semaphore->signals.pending())
      point = semaphore->signals.Peek().point;
  }
  if (!point.clock.empty()) call.tracker().WaitSnapshot(point);
}

void ImportFenceFd::After(VkCall& call, VkResult code, VkDevice,
                          const VkImportFenceFdInfoKHR* info) {
  if (code != VK_SUCCESS) return;
  if (FenceState* fence = FenceOf(call, info->fence, "fence")) fence->foreign = true;
}

void GetFenceFd::After(VkCall& call, VkResult code, VkDevice, const VkFenceGetFdInfoKHR* info,
                       int*) {
  if (code != VK_SUCCESS) return;
  FenceState* fence = FenceOf(call, info->fence, "fence");
  if (fence == nullptr) return;
  // The program may learn of the signal by the descriptor, where nobody sees it: from here on what
  // was submitted with the fence counts as seen.
  Snapshot point;
  {
    std::lock_guard lock(fence->lock);
    fence->foreign = true;
    point = fence->point;
  }
  call.tracker().WaitSnapshot(point);
  SettleGuards(call);
}

void CreateEvent::After(VkCall& call, VkResult code, VkDevice, const VkEventCreateInfo*,
                        const VkAllocationCallbacks*, VkEvent* event) {
  if (code != VK_SUCCESS) return;
  KeepNew<EventState>(call, ObjectKind::kUserEvent, HandleOf(*event));
}

void SetEvent::Before(VkCall& call, VkDevice, VkEvent event) {
  if (auto* state = UsePart<EventState>(call, ObjectKind::kUserEvent, HandleOf(event), "event")) {
    std::lock_guard lock(state->lock);
    state->queue = nullptr;
  }
}

void GetEventStatus::After(VkCall& call, VkResult code, VkDevice, VkEvent event) {
  if (code != VK_EVENT_SET) return;
  auto* state = UsePart<EventState>(call, ObjectKind::kUserEvent, HandleOf(event), "event");
  if (state == nullptr) return;
  Snapshot point;
  {
    std::lock_guard lock(state->lock);
    if (state->queue == nullptr) return;
    point.clock.Join(state->epoch);
  }
  call.tracker().WaitSnapshot(point);
  SettleGuards(call);
}

void ResetEvent::Before(VkCall& call, VkDevice device, VkEvent event) {
  SetEvent().Before(call, device, event);
}

}  // namespace gpusan::vulkan
