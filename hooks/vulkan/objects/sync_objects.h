// Fences, semaphores and events: what order they carry.
#pragma once

#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"
#include "tracker/order/semaphore.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan::vulkan {

class QueueState;

struct FenceState final : Pooled<FenceState> {
  SpinLock lock;
  Snapshot point;          // what it was submitted behind
  bool signaled = false;   // as the host knows
  bool submitted = false;  // and not yet seen signalled
  bool foreign = false;    // others signal it too, or see it signalled
  bool presents = false;   // a presentation engine signals it, not a queue
  const CallInfo* submit_call = nullptr;
  SiteId submit_site = kUnknownSite;
  void Reset();
};

struct SemaphoreState final : Pooled<SemaphoreState, HeldState> {
  SpinLock lock;
  bool timeline = false;
  bool foreign = false;  // others signal it too
  SignalList signals;
  // Of a binary one: signals in batches that are parked.
  uint32_t parked_signals = 0;

  void Reset();
};

struct EventState final : Pooled<EventState, HeldState> {
  SpinLock lock;
  // Where it was set by a queue last; nullptr: it was not, or by the host.
  const QueueState* queue = nullptr;
  Position position = 0;
  Epoch epoch;  // of the batch that sets it
  void Reset() {
    queue = nullptr;
    used.Clear();
  }
};

FenceState* FenceOf(VkCall& call, VkFence fence, const char* argument);
SemaphoreState* SemaphoreOf(VkCall& call, VkSemaphore semaphore, const char* argument);

struct CreateFence {
  void After(VkCall& call, VkResult code, VkDevice device, const VkFenceCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkFence* fence);
};
struct DestroyFence {
  void Before(VkCall& call, VkDevice device, VkFence fence, const VkAllocationCallbacks* allocator);
};
struct ResetFences {
  void Before(VkCall& call, VkDevice device, uint32_t count, const VkFence* fences);
};
struct CreateSemaphore {
  void After(VkCall& call, VkResult code, VkDevice device, const VkSemaphoreCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkSemaphore* semaphore);
};
using DestroySemaphore = DestroyHeld<ObjectKind::kSemaphore, VkSemaphore>;
struct ImportSemaphoreFd {
  void After(VkCall& call, VkResult code, VkDevice device, const VkImportSemaphoreFdInfoKHR* info);
};
struct ImportFenceFd {
  void After(VkCall& call, VkResult code, VkDevice device, const VkImportFenceFdInfoKHR* info);
};
struct CreateEvent {
  void After(VkCall& call, VkResult code, VkDevice device, const VkEventCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkEvent* event);
};
using DestroyEvent = DestroyHeld<ObjectKind::kUserEvent, VkEvent>;
struct SetEvent {
  void Before(VkCall& call, VkDevice device, VkEvent event);
};
struct ResetEvent {
  void Before(VkCall& call, VkDevice device, VkEvent event);
};

}  // namespace gpusan::vulkan
