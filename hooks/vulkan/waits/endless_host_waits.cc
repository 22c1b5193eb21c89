// Waits of the host without a time-out that nothing ends.
#include "hooks/vulkan/waits/endless_host_waits.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

#include "hooks/common/base/fork_reset.h"
#include "hooks/vulkan/objects/batch.h"
#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/objects/queues.h"
#include "tracker/rules/events/endless_host_wait.h"

namespace gpusan::vulkan {
namespace {

constinit SpinLock g_lock;  // a leaf; guards the list
constinit HostWait* g_first = nullptr;

const ForkReset g_reset([] {
  new (&g_lock) SpinLock;
  g_first = nullptr;
});

// Whether a batch that waits itself will signal the semaphore, or that may be so.
bool SignaledByParked(Device& device, const Object& semaphore) {
  std::unique_lock lock(device.queues_lock, std::try_to_lock);
  if (!lock.owns_lock()) return true;
  for (QueueState* queue : device.queues) {
    std::unique_lock queue_lock(queue->lock, std::try_to_lock);
    if (!queue_lock.owns_lock()) return true;
    for (const std::unique_ptr<Batch>& batch : queue->parked) {
      for (const Batch::Semaphore& signal : batch->signals) {
        if (signal.object == &semaphore) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool HostWait::Needs::Ends(const Item& item) {
  if (item.object->generation.load(std::memory_order_relaxed) != item.generation ||
      !item.object->live() || item.object->references.load(std::memory_order_relaxed) > 1)
    return true;
  if (item.object->kind == ObjectKind::kFence) {
    auto& fence = static_cast<FenceState&>(*item.object->part);
    std::lock_guard lock(fence.lock);
    return fence.given || fence.signaled || fence.submitted || fence.foreign;
  }
  if (item.object->kind == ObjectKind::kQueryPool) {
    auto& pool = static_cast<QueryPoolState&>(*item.object->part);
    return !pool.FindUnavailable(static_cast<uint32_t>(item.value), 1);
  }
  auto& semaphore = static_cast<SemaphoreState&>(*item.object->part);
  std::lock_guard lock(semaphore.lock);
  std::vector<Snapshot> points;
  return !semaphore.timeline || semaphore.foreign ||
         semaphore.signals.PointsOf(item.value, &points);
}

const HostWait::Item* HostWait::Needs::Missing() const {
  const Item* missing = nullptr;
  for (const Item& item : items) {
    const bool ends = Ends(item);
    if (all && !ends) return &item;
    if (!all && ends) return nullptr;
    if (!ends) missing = &item;
  }
  return missing;
}

void HostWait::Needs::Report(Call& report, const Item& item, bool at_end) const {
  rules::EndlessHostWait wait;
  wait.object = item.object;
  wait.waiter = call;
  wait.site = site;
  wait.thread = thread;
  wait.at_end = at_end;
  wait.value = item.value;
  if (item.object->kind == ObjectKind::kFence) {
    const auto& fence = static_cast<const FenceState&>(*item.object->part);
    wait.reset = fence.reset_call;
    wait.reset_site = fence.reset_site;
  }
  rules::OnEndlessHostWait(wait, report);
}

void HostWait::Add(VkCall& call, ObjectKind kind, uintptr_t handle, uint64_t value) {
  PlainObject* object = FindWithState(call, kind, handle);
  if (object == nullptr) return;
  needs_.items.push_back({object, object->generation.load(std::memory_order_relaxed), value});
}

void HostWait::List(VkCall& call) {
  needs_.device = &call.device();
  needs_.call = &call.info();
  needs_.site = call.site();
  needs_.thread = static_cast<int32_t>(syscall(SYS_gettid));
  listed_ = true;
  std::lock_guard lock(g_lock);
  next_ = g_first;
  g_first = this;
}

void HostWait::Remove() {
  std::lock_guard lock(g_lock);
  HostWait** at = &g_first;
  while (*at != nullptr && *at != this) at = &(*at)->next_;
  if (*at != nullptr) *at = next_;
}

void HostWait::ForFences(VkCall& call, uint32_t count, const VkFence* fences, bool all) {
  needs_.all = all;
  for (uint32_t i = 0; i < count; ++i) Add(call, ObjectKind::kFence, HandleOf(fences[i]), 0);
  // An unknown fence may end a wait for any.
  if (!all && needs_.items.size() != count) return;
  const Item* missing = needs_.Missing();
  if (missing == nullptr || call.device().lost.load(std::memory_order_relaxed)) [[likely]]
    return;
  if (OneThreadUsed()) {
    needs_.call = &call.info();
    needs_.Report(call, *missing, false);
  } else {
    List(call);
  }
}

void HostWait::ForSemaphores(VkCall& call, const VkSemaphoreWaitInfo& info) {
  needs_.all = (info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) == 0;
  for (uint32_t i = 0; i < info.semaphoreCount; ++i)
    Add(call, ObjectKind::kSemaphore, HandleOf(info.pSemaphores[i]), info.pValues[i]);
  if (!needs_.all && needs_.items.size() != info.semaphoreCount) return;
  if (needs_.Missing() == nullptr || call.device().lost.load(std::memory_order_relaxed)) [[likely]]
    return;
  List(call);
}

void HostWait::ForQueries(VkCall& call, PlainObject& pool, uint32_t first, uint32_t count) {
  const auto found = static_cast<QueryPoolState&>(*pool.part).FindUnavailable(first, count);
  if (!found || call.device().lost.load(std::memory_order_relaxed)) [[likely]]
    return;
  needs_.items.push_back({&pool, pool.generation.load(std::memory_order_relaxed), found->query});
  List(call);
}

void CheckHostWaitsAtEnd(Call& call, Device& device) {
  std::vector<HostWait::Needs> waits;
  {
    // A thread that was stopped inside gpusan may hold the lock.
    std::unique_lock lock(g_lock, std::try_to_lock);
    if (!lock.owns_lock()) return;
    for (const HostWait* wait = g_first; wait != nullptr; wait = wait->next_) {
      if (wait->needs_.device == &device) waits.push_back(wait->needs_);
    }
  }
  for (const HostWait::Needs& wait : waits) {
    const HostWait::Item* missing = wait.Missing();
    if (missing == nullptr) continue;
    // Another thread may wait for work by design, and end with the process.
    const ObjectKind kind = missing->object->kind;
    if (kind != ObjectKind::kFence && wait.thread != static_cast<int32_t>(getpid())) continue;
    // Work that waits itself will signal the semaphore, or may end the query.
    if (kind == ObjectKind::kSemaphore && SignaledByParked(device, *missing->object)) continue;
    if (kind == ObjectKind::kQueryPool && HasParked(device)) continue;
    wait.Report(call, *missing, true);
  }
}

}  // namespace gpusan::vulkan
