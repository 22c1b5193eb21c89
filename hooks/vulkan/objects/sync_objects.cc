// Fences, semaphores and events: the order that they carry.
#include "hooks/vulkan/objects/sync_objects.h"

#include <mutex>
#include <utility>

#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
void FenceState::Reset() {
  point.clock.Clear();
  point.gates = 0;
  signaled = submitted = foreign = presents = temporary = own_foreign = false;
  given = false;
  exports = 0;
  reset_call = nullptr;
  user.Reset();
}

void SemaphoreState::Reset() {
  ResetShared();
  parked_signals = 0;
  temporary = false;
  device = nullptr;
  exports = 0;
  used.Clear();
}

FenceState* FenceOf(VkCall& call, VkFence fence, const char* argument) {
  return UsePart<FenceState>(call, ObjectKind::kFence, HandleOf(fence), argument);
}
SemaphoreState* SemaphoreOf(VkCall& call, VkSemaphore semaphore, const char* argument) {
  return UsePart<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(semaphore), argument);
}

void GiveFence(VkCall& call, UsesOfCall& uses, VkFence handle) {
  PlainObject* object = FindWithState(call, ObjectKind::kFence, HandleOf(handle));
  if (object == nullptr) return;
  auto& fence = static_cast<FenceState&>(*object->part);
  UseAlone(call, uses, fence.user, *object);
  fence.given.store(true, std::memory_order_relaxed);
}

void CreateFence::After(VkCall& call, VkResult code, VkDevice, const VkFenceCreateInfo* info,
                        const VkAllocationCallbacks*, VkFence* fence) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<FenceState>(call, ObjectKind::kFence, HandleOf(*fence));
  if (state == nullptr) return;
  state->signaled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
  if (const auto* exported = FindInChain<VkExportFenceCreateInfo>(
          info->pNext, VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO))
    state->exports = exported->handleTypes;
}

void RegisterEvent::Keep(VkCall& call, VkResult code, const VkFence* fence) {
  if (code != VK_SUCCESS || fence == nullptr) return;
  auto* state = KeepNew<FenceState>(call, ObjectKind::kFence, HandleOf(*fence));
  if (state != nullptr) state->foreign = true;
}

void DestroyFence::Before(VkCall& call, VkDevice, VkFence handle, const VkAllocationCallbacks*) {
  Object* object = UseForDestroy(call, ObjectKind::kFence, HandleOf(handle), "fence");
  if (object == nullptr) return;
  auto& fence = static_cast<FenceState&>(*static_cast<PlainObject*>(object)->part);
  rules::PendingUse use;
  {
    std::lock_guard lock(fence.lock);
    if (fence.Pending(call.tracker().ordering().host())) use.pending = fence.submit_call;
    use.site = fence.submit_site;
  }
  if (use.pending != nullptr) {
    use.object = object;
    use.vuid = "VUID-vkDestroyFence-fence-01120";
    rules::OnPendingUse(use, call);
  } else if (HasParked(call.device())) {
    CheckNotParked(call, *object, rules::PendingUse::Act::kDestroy,
                   "VUID-vkDestroyFence-fence-01120");
  }
  Destroy(call, object);
}

bool FenceState::Pending(const HostClock& host) const {
  if (!submitted || presents || foreign) return false;
  for (Epoch epoch : point.clock.epochs()) {
    if (!host.Completed(epoch)) return true;
  }
  return false;
}

namespace {

// Returns the submission that signals the fence, if it waits for a timeline value that no submitted
// work signals; otherwise nullptr. Sets `*site` to its site.
const CallInfo* FindParkedSubmit(VkCall& call, VkFence fence, SiteId* site) {
  const Object* object =
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kFence, HandleOf(fence));
  rules::PendingUse use;
  if (object == nullptr || !FindParked(call, *object, &use)) return nullptr;
  *site = use.site;
  return use.pending;
}

}  // namespace

void ResetFences::Before(VkCall& call, VkDevice, uint32_t count, const VkFence* fences) {
  for (uint32_t i = 0; i < count; ++i) {
    FenceState* fence = FenceOf(call, fences[i], "pFences[]");
    if (fence == nullptr) continue;
    const CallInfo* pending = nullptr;
    SiteId site = kUnknownSite;
    {
      std::lock_guard lock(fence->lock);
      if (fence->Pending(call.tracker().ordering().host())) [[unlikely]] {
        pending = fence->submit_call;
        site = fence->submit_site;
      }
      fence->signaled = fence->submitted = fence->presents = false;
      if (fence->temporary) [[unlikely]] {
        // The reset restores the fence's own payload first (Vulkan 1.3 §7.3).
        fence->foreign = fence->own_foreign;
        fence->temporary = false;
      }
      fence->given.store(false, std::memory_order_relaxed);
      fence->reset_call = &call.info();
      fence->reset_site = call.site();
      fence->point.clock.Clear();
      fence->point.gates = 0;
    }
    if (pending == nullptr && HasParked(call.device())) [[unlikely]]
      pending = FindParkedSubmit(call, fences[i], &site);
    if (pending != nullptr) [[unlikely]]
      ReportSync(call, ObjectKind::kFence, HandleOf(fences[i]),
                 rules::SyncStateUse::Fault::kFenceResetPending, {pending, site});
  }
}

void CreateSemaphore::After(VkCall& call, VkResult code, VkDevice,
                            const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks*,
                            VkSemaphore* semaphore) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(*semaphore));
  if (state == nullptr) return;
  if (const auto* exported = FindInChain<VkExportSemaphoreCreateInfo>(
          info->pNext, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO))
    state->exports = exported->handleTypes;
  const auto* type = FindInChain<VkSemaphoreTypeCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  if (type != nullptr && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE) {
    state->timeline = true;
    state->signals.Reset(type->initialValue);
    if (!call.device().features.timeline_semaphores) [[unlikely]] {
      ReportSync(call, ObjectKind::kSemaphore, HandleOf(*semaphore),
                 rules::SyncStateUse::Fault::kTimelineWithoutFeature);
    }
  } else if (type != nullptr && type->initialValue != 0) {
    const Object* made =
        call.tracker().objects().Find(Api::kVulkan, ObjectKind::kSemaphore, HandleOf(*semaphore));
    if (made != nullptr)
      ReportSync(call, *made, rules::SyncStateUse::Fault::kBinaryWithValue,
                 absl::StrCat(type->initialValue));
  }
}

void ImportSemaphoreFd::Before(VkCall& call, VkDevice, const VkImportSemaphoreFdInfoKHR* info) {
  using Fault = rules::SyncStateUse::Fault;
  SemaphoreState* semaphore = SemaphoreOf(call, info->semaphore, "semaphore");
  if (semaphore == nullptr) return;
  const auto report = [&](Fault fault) {
    ReportSync(call, ObjectKind::kSemaphore, HandleOf(info->semaphore), fault);
  };
  if (info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT &&
      (info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) == 0)
    report(Fault::kSyncFileForGood);
  const HostClock& host = call.tracker().ordering().host();
  if (!semaphore->used.MayBePending(host)) return;
  bool pending;
  {
    std::lock_guard lock(semaphore->held_lock);
    pending = semaphore->used.Pending(host);
  }
  if (pending) report(Fault::kImportPending);
}

void ImportSemaphoreFd::After(VkCall& call, VkResult code, VkDevice,
                              const VkImportSemaphoreFdInfoKHR* info) {
  if (code != VK_SUCCESS) return;
  SemaphoreState* semaphore = SemaphoreOf(call, info->semaphore, "semaphore");
  if (semaphore == nullptr) return;
  std::lock_guard lock(semaphore->lock);
  const bool own = semaphore->temporary || !semaphore->foreign;
  semaphore->temporary = (info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) != 0 && own &&
                         !semaphore->timeline && !semaphore->signals.pending() &&
                         semaphore->parked_signals == 0 &&
                         !semaphore->shared.load(std::memory_order_relaxed);
  semaphore->foreign = semaphore->unclear = true;
}

void ImportFenceFd::Before(VkCall& call, VkDevice, const VkImportFenceFdInfoKHR* info) {
  using Fault = rules::SyncStateUse::Fault;
  FenceState* fence = FenceOf(call, info->fence, "fence");
  if (fence == nullptr) return;
  EarlierCall earlier;
  {
    std::lock_guard lock(fence->lock);
    if (fence->Pending(call.tracker().ordering().host()))
      earlier = {fence->submit_call, fence->submit_site};
  }
  const uintptr_t handle = HandleOf(info->fence);
  if (earlier.call != nullptr)
    ReportSync(call, ObjectKind::kFence, handle, Fault::kFenceImportPending, earlier);
  if (info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT &&
      (info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT) == 0)
    ReportSync(call, ObjectKind::kFence, handle, Fault::kFenceSyncFileForGood);
}

void ImportFenceFd::After(VkCall& call, VkResult code, VkDevice,
                          const VkImportFenceFdInfoKHR* info) {
  if (code != VK_SUCCESS) return;
  FenceState* fence = FenceOf(call, info->fence, "fence");
  if (fence == nullptr) return;
  std::lock_guard lock(fence->lock);
  const bool temporary = (info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT) != 0;
  if (temporary && !fence->temporary) fence->own_foreign = fence->foreign;
  fence->temporary = temporary;
  fence->submitted = fence->presents = false;
  fence->point.clock.Clear();
  fence->point.gates = 0;
  // -1 is a sync file that is signaled already (VK_KHR_external_fence_fd).
  fence->signaled = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT && info->fd == -1;
  fence->foreign = !fence->signaled;
}

void EventState::ByHost(EventSignal::By by, const HostClock& host) {
  queue = nullptr;
  // A pending command may set or reset it before or after the host.
  const bool alone = host.Completed(used_epoch);
  if (!alone) {
    signal = EventSignal();
  } else if (by == EventSignal::By::kNobody || signal.by == EventSignal::By::kNobody) {
    signal = EventSignal();
    signal.by = by;
  }
}

void CreateEvent::After(VkCall& call, VkResult code, VkDevice, const VkEventCreateInfo* info,
                        const VkAllocationCallbacks*, VkEvent* event) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<EventState>(call, ObjectKind::kUserEvent, HandleOf(*event));
  if (state == nullptr) return;
  state->device_only = (info->flags & VK_EVENT_CREATE_DEVICE_ONLY_BIT) != 0;
  // An event with an imported payload may be set by others.
  if (info->pNext == nullptr) state->signal.by = EventSignal::By::kNobody;
}

void ReportSync(Call& call, const Object& object, rules::SyncStateUse::Fault fault,
                std::string value, std::string other, EarlierCall earlier) {
  rules::SyncStateUse use;
  use.fault = fault;
  use.object = &object;
  use.earlier = earlier.call;
  use.site = earlier.site;
  use.value = std::move(value);
  use.other = std::move(other);
  rules::OnSyncStateUse(use, call);
}

void ReportSync(VkCall& call, ObjectKind kind, uintptr_t handle, rules::SyncStateUse::Fault fault,
                EarlierCall earlier, std::string other) {
  if (const Object* object = call.tracker().objects().Find(Api::kVulkan, kind, handle))
    ReportSync(call, *object, fault, "", std::move(other), earlier);
}

EventState* UseEventOnHost(VkCall& call, VkEvent event, rules::SyncStateUse::Fault fault) {
  auto* state = UsePart<EventState>(call, ObjectKind::kUserEvent, HandleOf(event), "event");
  if (state != nullptr && state->device_only)
    ReportSync(call, ObjectKind::kUserEvent, HandleOf(event), fault);
  return state;
}

namespace {

// Applies a signal or reset by the host. Returns whether a wait for the event is pending on the
// device, once for each wait, and sets `*waiter` to it.
bool SignalOnHost(VkCall& call, EventState* state, EventSignal::By by, EarlierCall* waiter) {
  const HostClock& host = call.tracker().ordering().host();
  std::lock_guard lock(state->lock);
  const bool waited = !host.Completed(state->waited_epoch);
  state->waited_epoch = Epoch();
  *waiter = {state->signal.waiter, state->signal.waiter_site};
  state->ByHost(by, host);
  return waited;
}

}  // namespace

void SetEvent::Before(VkCall& call, VkDevice, VkEvent event) {
  EventState* state = UseEventOnHost(call, event, rules::SyncStateUse::Fault::kHostSetsDeviceEvent);
  if (state == nullptr) return;
  EarlierCall waiter;
  bool waited = SignalOnHost(call, state, EventSignal::By::kHost, &waiter);
  if (!waited && HasParked(call.device())) [[unlikely]] {
    const Object* object =
        call.tracker().objects().Find(Api::kVulkan, ObjectKind::kUserEvent, HandleOf(event));
    rules::PendingUse use;
    waited = object != nullptr && FindParkedWait(call, *object, &use);
    if (waited) waiter = {use.pending, use.site};
  }
  if (waited) [[unlikely]]
    ReportSync(call, ObjectKind::kUserEvent, HandleOf(event),
               rules::SyncStateUse::Fault::kHostSetsWaitedEvent, waiter);
}

void ResetEvent::Before(VkCall& call, VkDevice, VkEvent event) {
  EventState* state =
      UseEventOnHost(call, event, rules::SyncStateUse::Fault::kHostResetsDeviceEvent);
  EarlierCall waiter;
  if (state == nullptr || !SignalOnHost(call, state, EventSignal::By::kNobody, &waiter)) [[likely]]
    return;
  const bool second =
      waiter.call != nullptr && std::string_view(waiter.call->name).starts_with("vkCmdWaitEvents2");
  ReportSync(call, ObjectKind::kUserEvent, HandleOf(event),
             rules::SyncStateUse::Fault::kHostResetsWaitedEvent, waiter,
             second ? "03822" : "03821");
}

}  // namespace gpusan::vulkan
