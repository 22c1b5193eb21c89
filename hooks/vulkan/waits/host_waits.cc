// Calls by which the host learns what is complete, or signals a semaphore itself.
#include "hooks/vulkan/waits/host_waits.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/mapped/map_guards.h"
#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/recording/queries.h"
#include "hooks/vulkan/recording/query_checks.h"
#include "hooks/vulkan/submission/semaphore_checks.h"
#include "hooks/vulkan/submission/submits.h"
#include "tracker/rules/events/query_use.h"

namespace gpusan::vulkan {

void ObserveFence(VkCall& call, VkFence handle) {
  FenceState* fence = FenceOf(call, handle, "fence");
  if (fence == nullptr) return;
  if (HasParked(call.device())) [[unlikely]]
    RunParkedThat(call, call.device(), [&](const Batch& batch) { return batch.fence == fence; });
  Snapshot point;
  {
    std::lock_guard lock(fence->lock);
    if (fence->signaled || !fence->submitted) return;
    fence->signaled = true;
    fence->submitted = false;
    point = fence->point;
  }
  call.tracker().ordering().WaitSnapshot(point);
  SettleGuards(call);
}

void ObserveSemaphore(VkCall& call, VkSemaphore handle, uint64_t value) {
  SemaphoreState* semaphore = SemaphoreOf(call, handle, "semaphore");
  if (semaphore == nullptr) return;
  if (HasParked(call.device())) [[unlikely]] {
    RunParkedThat(call, call.device(), [&](const Batch& batch) {
      return std::any_of(batch.signals.begin(), batch.signals.end(),
                         [&](const Batch::Semaphore& signal) {
                           return signal.state == semaphore && signal.value <= value;
                         });
    });
  }
  std::vector<Snapshot> points;
  {
    std::lock_guard lock(semaphore->lock);
    points = semaphore->signals.Observe(value);
  }
  for (const Snapshot& point : points) call.tracker().ordering().WaitSnapshot(point);
  // A value that was signaled outside of gpusan's view may release parked batches.
  RunParked(call, call.device());
  SettleGuards(call);
}

void GetFenceStatus::After(VkCall& call, VkResult code, VkDevice, VkFence fence) {
  if (code == VK_SUCCESS) ObserveFence(call, fence);
}

void WaitForFences::After(VkCall& call, VkResult code, VkDevice device, uint32_t count,
                          const VkFence* fences, VkBool32 wait_all, uint64_t) {
  if (code != VK_SUCCESS) return;
  const bool all = wait_all != VK_FALSE || count == 1;
  const auto status = GPUSAN_VK_NEXT(&call.device(), vkGetFenceStatus);
  // Programs that wait for all submissions of a queue name the last one last: its completion
  // implies the others.
  for (uint32_t i = count; i-- > 0;) {
    if (all || status(device, fences[i]) == VK_SUCCESS) ObserveFence(call, fences[i]);
  }
}

namespace {

// Reports a binary semaphore that a call of timeline semaphores names.
void CheckTimeline(VkCall& call, VkSemaphore handle, rules::SyncStateUse::Fault fault) {
  const auto* semaphore = FindPart<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(handle));
  if (semaphore != nullptr && !semaphore->timeline && !semaphore->foreign) [[unlikely]]
    ReportSync(call, ObjectKind::kSemaphore, HandleOf(handle), fault);
}

}  // namespace

void GetSemaphoreCounterValue::Before(VkCall& call, VkDevice, VkSemaphore semaphore, uint64_t*) {
  CheckTimeline(call, semaphore, rules::SyncStateUse::Fault::kCountsBinary);
}

void WaitSemaphores::Before(VkCall& call, VkDevice, const VkSemaphoreWaitInfo* info,
                            uint64_t timeout) {
  for (uint32_t i = 0; i < info->semaphoreCount; ++i)
    CheckTimeline(call, info->pSemaphores[i], rules::SyncStateUse::Fault::kWaitsForBinary);
  if (timeout == UINT64_MAX) wait_.ForSemaphores(call, *info);
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
  auto query = GPUSAN_VK_NEXT(&call.device(), vkGetSemaphoreCounterValue);
  if (query == nullptr) query = GPUSAN_VK_NEXT(&call.device(), vkGetSemaphoreCounterValueKHR);
  for (uint32_t i = 0; i < info->semaphoreCount && query != nullptr; ++i) {
    uint64_t value = 0;
    if (query(device, info->pSemaphores[i], &value) == VK_SUCCESS)
      ObserveSemaphore(call, info->pSemaphores[i], value);
  }
}

void SignalSemaphore::Before(VkCall& call, VkDevice, const VkSemaphoreSignalInfo* info) {
  const Batch::Semaphore signal =
      BatchSemaphore(call, info->semaphore, info->value, 0, "pSignalInfo->semaphore");
  if (signal.state == nullptr) return;
  if (!signal.state->timeline) {
    CheckTimeline(call, info->semaphore, rules::SyncStateUse::Fault::kSignalsBinary);
    return;
  }
  CheckDifference(call, signal, "VkSemaphoreSignalInfo-value-03260");
  if (call.device().parked.load(std::memory_order_acquire) != 0 && !signal.state->foreign) {
    const ValueFault fault = CheckParkedValues(call.device(), *signal.state, info->value);
    if (fault.found) ReportValue(call, signal, fault);
  }
  AddSignal(call, signal, {info->value, Snapshot(), &call.info(), call.site()}, true);
  RunParked(call, call.device());
}

void LatencySleep::Before(VkCall& call, VkDevice, VkSwapchainKHR, const void* argument) {
  const auto* info = later::Read<later::VkLatencySleepInfoNV>(call, argument, "pSleepInfo");
  SemaphoreState* semaphore =
      info != nullptr ? SemaphoreOf(call, info->signalSemaphore, "pSleepInfo->signalSemaphore")
                      : nullptr;
  if (semaphore == nullptr) return;
  {
    std::lock_guard lock(semaphore->lock);
    semaphore->foreign = semaphore->unclear = true;
  }
  RunParked(call, call.device());
}

namespace {

// Another API has signaled the semaphore: processes the batches that wait for it.
void RunBehindSignal(Call& call, Object& semaphore) {
  const auto& state =
      static_cast<const SemaphoreState&>(*static_cast<PlainObject&>(semaphore).part);
  if (state.device == nullptr || semaphore.context == nullptr || !semaphore.context->live()) return;
  VkCall made(
      {&call.tracker(), call.info(), call.return_address(), call.frame_address(), state.device});
  RunParked(made, *state.device);
}

// Lets another API find the semaphore by the descriptor. Returns false if it will not be found.
bool ExportSemaphore(VkCall& call, uintptr_t handle, SemaphoreState* semaphore, int descriptor) {
  Objects& objects = call.tracker().objects();
  Object* object = objects.Find(Api::kVulkan, ObjectKind::kSemaphore, handle);
  if (object == nullptr) return false;
  {
    std::lock_guard lock(semaphore->lock);
    semaphore->device = &call.device();
    semaphore->on_signal = RunBehindSignal;
  }
  return objects.shared_payloads().Export(descriptor, *object, semaphore);
}

}  // namespace

void GetSemaphoreFd::Before(VkCall& call, VkDevice, const VkSemaphoreGetFdInfoKHR* info, int*) {
  using Fault = rules::SyncStateUse::Fault;
  const bool sync_file = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  auto* semaphore =
      FindPart<SemaphoreState>(call, ObjectKind::kSemaphore, HandleOf(info->semaphore));
  if (semaphore == nullptr) return;
  bool exportable, unsignaled, parked;
  if (sync_file && call.device().parked.load(std::memory_order_acquire) != 0)
    RunParked(call, call.device());
  {
    std::lock_guard lock(semaphore->lock);
    if (semaphore->foreign) return;  // the payload may be that of another semaphore
    exportable = (semaphore->exports & info->handleType) != 0;
    unsignaled = sync_file && !semaphore->timeline && !semaphore->signals.pending() &&
                 semaphore->parked_signals == 0;
    parked = sync_file && !semaphore->timeline && !semaphore->signals.pending() &&
             semaphore->parked_signals != 0;
  }
  const auto report = [&](Fault fault, const char* type = "") {
    ReportSync(call, ObjectKind::kSemaphore, HandleOf(info->semaphore), fault, {}, type);
  };
  if (!exportable)
    report(Fault::kSemaphoreNotExportable, sync_file
                                               ? "VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT"
                                               : "VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT");
  if (unsignaled) report(Fault::kExportUnsignaled);
  if (parked) report(Fault::kExportNotSubmitted);
  if (sync_file && semaphore->timeline) report(Fault::kExportsTimeline);
}

void GetSemaphoreFd::After(VkCall& call, VkResult code, VkDevice,
                           const VkSemaphoreGetFdInfoKHR* info, int* descriptor) {
  if (code != VK_SUCCESS) return;
  SemaphoreState* semaphore = SemaphoreOf(call, info->semaphore, "semaphore");
  if (semaphore == nullptr) return;
  const bool exported = info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT &&
                        ExportSemaphore(call, HandleOf(info->semaphore), semaphore, *descriptor);
  // The signal of the presentation engine may be observed through the descriptor, which gpusan does
  // not see.
  Snapshot point;
  {
    std::lock_guard lock(semaphore->lock);
    semaphore->foreign = true;
    if (exported) {
      ++semaphore->descriptors;
    } else {
      semaphore->unclear = true;
    }
    if (call.device().presents.load(std::memory_order_relaxed) && !semaphore->timeline &&
        semaphore->signals.pending())
      point = semaphore->signals.Peek().point;
  }
  if (!point.clock.empty()) call.tracker().ordering().WaitSnapshot(point);
}

void GetFenceFd::Before(VkCall& call, VkDevice, const VkFenceGetFdInfoKHR* info, int*) {
  using Fault = rules::SyncStateUse::Fault;
  const bool sync_file = info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  FenceState* fence = FindPart<FenceState>(call, ObjectKind::kFence, HandleOf(info->fence));
  if (fence == nullptr) return;
  bool exportable, unsignaled;
  {
    std::lock_guard lock(fence->lock);
    if (fence->foreign) return;  // the payload may be that of another fence
    exportable = (fence->exports & info->handleType) != 0;
    unsignaled = sync_file && !fence->signaled && !fence->submitted && !fence->presents &&
                 !fence->given.load(std::memory_order_relaxed);
  }
  const auto report = [&](Fault fault, const char* type = "") {
    ReportSync(call, ObjectKind::kFence, HandleOf(info->fence), fault, {}, type);
  };
  if (!exportable)
    report(Fault::kFenceNotExportable, sync_file ? "VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT"
                                                 : "VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT");
  if (unsignaled) report(Fault::kFenceExportUnsignaled);
}

void GetFenceFd::After(VkCall& call, VkResult code, VkDevice, const VkFenceGetFdInfoKHR* info,
                       int*) {
  if (code != VK_SUCCESS) return;
  FenceState* fence = FenceOf(call, info->fence, "fence");
  if (fence == nullptr) return;
  // The program may observe the signal through the descriptor, which gpusan does not see: from here
  // on the work that signals the fence counts as complete.
  Snapshot point;
  {
    std::lock_guard lock(fence->lock);
    fence->foreign = true;
    point = fence->point;
  }
  call.tracker().ordering().WaitSnapshot(point);
  SettleGuards(call);
}

namespace {

// Adds a finding if the block of host memory at `data` is smaller than the results.
void CheckResultBlock(VkCall& call, const PlainObject& pool, uint32_t count, uint64_t bytes,
                      const void* data, uint64_t stride, VkQueryResultFlags flags) {
  const auto& state = static_cast<const QueryPoolState&>(*pool.part);
  rules::QueryUse use;
  use.needed = (uint64_t{count} - 1) * stride + ResultBytes(pool, flags);
  // `bytes` of the call is too small: there is a finding already.
  if (data == nullptr || state.type() == QueryPoolState::kUnknown || use.needed > bytes) return;
  const auto begin = reinterpret_cast<uintptr_t>(data);
  if (!call.shadow().host_memory().FindSpan(begin, use.needed, &use.block)) return;
  use.available = use.block.end() - begin;
  if (use.needed <= use.available) [[likely]]
    return;
  use.fault = rules::QueryUse::Fault::kPastBlock;
  use.pool = &pool;
  rules::OnQueryUse(use, call);
}

// Learns from partial results with their availability which queries are complete.
void ObserveAvailable(VkCall& call, QueryPoolState& state, const PlainObject& pool, uint32_t first,
                      uint32_t count, const void* data, uint64_t stride, VkQueryResultFlags flags) {
  const bool wide = (flags & VK_QUERY_RESULT_64_BIT) != 0;
  const uint64_t word = wide ? 8 : 4, bytes = ResultBytes(pool, flags);
  for (uint32_t i = 0; data != nullptr && i < count; ++i) {
    uint64_t available = 0;
    std::memcpy(&available, static_cast<const char*>(data) + i * stride + bytes - word, word);
    if (available == 0) continue;
    const Snapshot point = state.PointOf(first + i, 1);
    if (!point.clock.empty()) call.tracker().ordering().WaitSnapshot(point);
  }
}

}  // namespace

void GetQueryPoolResults::Before(VkCall& call, VkDevice, VkQueryPool handle, uint32_t first,
                                 uint32_t count, size_t bytes, void* data, VkDeviceSize stride,
                                 VkQueryResultFlags flags) {
  pool = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kQueryPool, HandleOf(handle), "queryPool"));
  if (pool == nullptr || count == 0) return;
  CheckQueryResults(call, *pool, first, count, true);
  CheckResultLayout(call, *pool, count, reinterpret_cast<uintptr_t>(data), stride, flags);
  CheckResultBytes(call, *pool, count, bytes, stride, flags);
  CheckResultBlock(call, *pool, count, bytes, data, stride, flags);
  if ((flags & VK_QUERY_RESULT_WAIT_BIT) != 0) wait_.ForQueries(call, *pool, first, count);
}

void GetQueryPoolResults::After(VkCall& call, VkResult code, VkDevice, VkQueryPool, uint32_t first,
                                uint32_t count, size_t bytes, void* data, VkDeviceSize stride,
                                VkQueryResultFlags flags) {
  // With partial results the call succeeds before the results are available.
  constexpr VkQueryResultFlags kSeen =
      VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  if (code >= VK_SUCCESS && pool != nullptr && (flags & kSeen) == kSeen && count != 0 &&
      (uint64_t{count} - 1) * stride + ResultBytes(*pool, flags) <= bytes) {
    auto& state = static_cast<QueryPoolState&>(*pool->part);
    if (state.type() == VK_QUERY_TYPE_OCCLUSION)
      ObserveAvailable(call, state, *pool, first, count, data, stride, flags);
  }
  if (code != VK_SUCCESS ||
      ((flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0 && (flags & VK_QUERY_RESULT_WAIT_BIT) == 0))
    return;
  if (pool == nullptr) return;
  const Snapshot point = static_cast<QueryPoolState&>(*pool->part).PointOf(first, count);
  if (point.clock.empty()) return;
  call.tracker().ordering().WaitSnapshot(point);
  SettleGuards(call);
}

void GetEventStatus::Before(VkCall& call, VkDevice, VkEvent event) {
  UseEventOnHost(call, event, rules::SyncStateUse::Fault::kHostQueriesDeviceEvent);
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
  call.tracker().ordering().WaitSnapshot(point);
  SettleGuards(call);
}

}  // namespace gpusan::vulkan
