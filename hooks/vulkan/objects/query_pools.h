// Query pools: commands that use a pool must be complete before it is destroyed, a result that the
// host reads shows that its command is complete, and a query must be reset before each use.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {

struct QueryPoolState final : Pooled<QueryPoolState, HeldState> {
  enum class Phase : uint8_t { kNeverReset, kReset, kUsed };
  struct Query {
    Epoch ended;  // the batch that made the result available
    Phase phase = Phase::kNeverReset;
    // The command that used the query after the last reset; set if kUsed.
    SiteId site = kUnknownSite;
    const CallInfo* call = nullptr;
  };
  // The state after all submitted commands. kReset if it is unknown.
  Query QueryAt(uint32_t query) {
    std::lock_guard lock(held_lock);
    Query state;
    if (query < queries_.size()) state = queries_[query];
    if (query >= queries_.size() || forgotten_) state.phase = Phase::kReset;
    return state;
  }
  // Records that a command of the batch with the epoch makes the result of the query available.
  void End(uint32_t query, Epoch epoch, const CallInfo* call, SiteId site) {
    std::lock_guard lock(held_lock);
    if (query < queries_.size()) queries_[query] = {epoch, Phase::kUsed, site, call};
  }
  // Records that a submitted command, or the host, resets the queries. Ignores queries past the end
  // of the pool.
  void ResetQueries(uint32_t first, uint32_t count) {
    std::lock_guard lock(held_lock);
    const uint64_t end = std::min<uint64_t>(uint64_t{first} + count, queries_.size());
    for (uint64_t i = first; i < end; ++i) queries_[i].phase = Phase::kReset;
  }
  // Makes all states unknown. Call it if a reset was not recorded, or if a submission failed.
  void ForgetResets() {
    std::lock_guard lock(held_lock);
    forgotten_ = true;
  }
  struct Unavailable {
    uint32_t query;
    Phase phase;  // kNeverReset or kReset
  };
  // Finds the first of these queries whose result no submitted command has made available since the
  // last reset; nullopt: there is none, or it is unknown.
  std::optional<Unavailable> FindUnavailable(uint32_t first, uint32_t count) {
    std::lock_guard lock(held_lock);
    if (forgotten_ || writes_unseen_.load(std::memory_order_relaxed)) return std::nullopt;
    const uint64_t end = std::min<uint64_t>(uint64_t{first} + count, queries_.size());
    for (uint64_t i = first; i < end; ++i) {
      if (queries_[i].phase != Phase::kUsed)
        return Unavailable{static_cast<uint32_t>(i), queries_[i].phase};
    }
    return std::nullopt;
  }
  // Notes that commands may make further queries available: those of other views.
  void NoteUnseenWrites() { writes_unseen_.store(true, std::memory_order_relaxed); }
  // The batches that made the results of these queries available.
  Snapshot PointOf(uint32_t first, uint32_t count) {
    Snapshot point;
    std::lock_guard lock(held_lock);
    const uint64_t end = std::min<uint64_t>(uint64_t{first} + count, queries_.size());
    for (uint64_t i = first; i < end; ++i) {
      if (queries_[i].ended.valid()) point.clock.Join(queries_[i].ended);
    }
    return point;
  }
  static constexpr uint32_t kUnknown = ~uint32_t{0};
  // kUnknown: the description is unknown.
  uint32_t count() const { return known() ? count_ : kUnknown; }
  uint32_t type() const { return known() ? type_ : kUnknown; }  // VkQueryType
  void Describe(const VkQueryPoolCreateInfo& info) {
    constexpr uint32_t kMostQueries = 1 << 16;  // later ones are not kept
    queries_.assign(std::min(info.queryCount, kMostQueries), Query());
    count_ = info.queryCount;
    type_ = static_cast<uint32_t>(info.queryType);
    statistics = info.pipelineStatistics;
    // VK_QUERY_POOL_CREATE_RESET_BIT_KHR: the queries begin reset.
    if (info.flags != 0) {
      was_reset_.store(true, std::memory_order_relaxed);
      for (Query& query : queries_) query.phase = Phase::kReset;
    }
    // Several submissions, one for each pass, use one performance query.
    forgotten_ = info.queryType == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
    // Commands that write queries of other types are not followed.
    const bool followed =
        type_ == VK_QUERY_TYPE_OCCLUSION || type_ == VK_QUERY_TYPE_PIPELINE_STATISTICS ||
        type_ == VK_QUERY_TYPE_TIMESTAMP || type_ == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
        type_ == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
    writes_unseen_.store(!followed, std::memory_order_relaxed);
  }
  // Whether some command or call that resets its queries may have been recorded or made.
  bool was_reset() const { return !known() || was_reset_.load(std::memory_order_relaxed); }
  void NoteReset() { was_reset_.store(true, std::memory_order_relaxed); }
  // Of VK_QUERY_TYPE_PIPELINE_STATISTICS.
  VkQueryPipelineStatisticFlags statistics = 0;

  void Reset() {
    was_reset_.store(false, std::memory_order_relaxed);
    queries_.clear();
    forgotten_ = false;
    writes_unseen_.store(false, std::memory_order_relaxed);
    used.Clear();
  }

 private:
  uint32_t count_ = 0, type_ = 0;
  std::atomic<bool> was_reset_{false}, writes_unseen_{false};
  std::vector<Query> queries_;  // guarded by held_lock
  bool forgotten_ = false;      // guarded by held_lock
};

struct CreateQueryPool {
  void After(VkCall& call, VkResult code, VkDevice, const VkQueryPoolCreateInfo* info,
             const VkAllocationCallbacks*, VkQueryPool* pool) {
    if (code != VK_SUCCESS) {
      call.tracker().objects().NoteFailedCreation(call, ObjectKind::kQueryPool, code, 0);
      return;
    }
    auto* state = KeepDescribed<QueryPoolState>(call, ObjectKind::kQueryPool, HandleOf(*pool));
    if (state != nullptr) state->Describe(*info);
  }
};
using DestroyQueryPool = DestroyHeld<ObjectKind::kQueryPool, VkQueryPool>;

}  // namespace gpusan::vulkan
