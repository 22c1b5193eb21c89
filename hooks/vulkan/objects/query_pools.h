// Query pools: commands that use a pool must be complete before it is destroyed, and a result that
// the host reads shows that its command is complete.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {

struct QueryPoolState final : Pooled<QueryPoolState, HeldState> {
  void Resize(uint32_t count) {
    constexpr uint32_t kMostQueries = 1 << 16;  // later ones are not kept
    ended_.assign(std::min(count, kMostQueries), Epoch());
  }
  // A command of the batch with the epoch makes the result of the query available.
  void End(uint32_t query, Epoch epoch) {
    std::lock_guard lock(held_lock);
    if (query < ended_.size()) ended_[query] = epoch;
  }
  // The batches that made the results of these queries available.
  Snapshot PointOf(uint32_t first, uint32_t count) {
    Snapshot point;
    std::lock_guard lock(held_lock);
    const uint64_t end = std::min<uint64_t>(uint64_t{first} + count, ended_.size());
    for (uint64_t i = first; i < end; ++i) {
      if (ended_[i].valid()) point.clock.Join(ended_[i]);
    }
    return point;
  }
  static constexpr uint32_t kUnknown = ~uint32_t{0};
  uint32_t count = 0;  // kUnknown: unknown
  uint32_t type = 0;   // VkQueryType, or kUnknown
  // Of VK_QUERY_TYPE_PIPELINE_STATISTICS.
  VkQueryPipelineStatisticFlags statistics = 0;
  // Some command or call that resets its queries was recorded or made.
  std::atomic<bool> was_reset{false};

  // Its description becomes unknown.
  void Forget() {
    count = type = kUnknown;
    was_reset.store(true, std::memory_order_relaxed);
  }
  void Reset() {
    was_reset.store(false, std::memory_order_relaxed);
    ended_.clear();
    used.Clear();
  }

 private:
  std::vector<Epoch> ended_;  // by query; guarded by held_lock
};

struct CreateQueryPool {
  void After(VkCall& call, VkResult code, VkDevice, const VkQueryPoolCreateInfo* info,
             const VkAllocationCallbacks*, VkQueryPool* pool) {
    if (code != VK_SUCCESS) {
      call.tracker().objects().NoteFailedCreation(call, ObjectKind::kQueryPool, code, 0);
      return;
    }
    auto* state = KeepNew<QueryPoolState>(call, ObjectKind::kQueryPool, HandleOf(*pool));
    if (state == nullptr)
      return ForgetKnown<QueryPoolState>(call, ObjectKind::kQueryPool, HandleOf(*pool));
    state->Resize(info->queryCount);
    state->count = info->queryCount;
    state->type = static_cast<uint32_t>(info->queryType);
    state->statistics = info->pipelineStatistics;
    // VK_QUERY_POOL_CREATE_RESET_BIT_KHR: the queries begin reset.
    if (info->flags != 0) state->was_reset.store(true, std::memory_order_relaxed);
  }
};
using DestroyQueryPool = DestroyHeld<ObjectKind::kQueryPool, VkQueryPool>;

}  // namespace gpusan::vulkan
