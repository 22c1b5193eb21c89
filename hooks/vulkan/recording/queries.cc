// Commands that use a query pool, which must be complete before the pool is destroyed.
#include "hooks/vulkan/recording/queries.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/barrier_checks.h"
#include "hooks/vulkan/recording/query_checks.h"
#include "tracker/rules/events/query_use.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;
using ActiveQuery = CommandBufferState::ActiveQuery;

QueryPoolState& StateOf(const PlainObject& pool) {
  return static_cast<QueryPoolState&>(*pool.part);
}

// Adds a finding, and returns false, if the pool has no such query. `vuid`: the end of its name.
bool CheckQuery(VkCall& call, const PlainObject& pool, uint32_t query, const char* vuid) {
  const uint32_t count = StateOf(pool).count();
  if (query < count) [[likely]]
    return true;
  ReportSync(call, pool, Fault::kQueryRange,
             absl::StrCat("query ", query, " of the ", count, " queries"), vuid);
  return false;
}

ActiveQuery* FindActive(CommandBufferState& state, const PlainObject& pool, uint32_t query) {
  for (ActiveQuery& active : state.queries) {
    if (active.pool.get() == &pool && active.query == query) return &active;
  }
  return nullptr;
}

// Whether the command is one of VK_EXT_transform_feedback.
bool IsIndexed(const VkCall& call) {
  return std::string_view(call.info().name).ends_with("IndexedEXT");
}

// A command that uses the pool is not recorded: the states of its queries are unknown.
void ForgetResets(VkCall& call, VkQueryPool handle) {
  auto* known = FindPart<QueryPoolState>(call, ObjectKind::kQueryPool, HandleOf(handle));
  if (known != nullptr) known->ForgetResets();
}

uint32_t ScopeOf(const CommandBufferState& state) {
  return state.pass.kind == PassInstance::Kind::kNone ? ActiveQuery::kOutside : state.pass.subpass;
}

void ReportActive(VkCall& call, const ActiveQuery& active, const char* vuid) {
  if (const PlainObject* pool = active.pool.get(); pool != nullptr && pool->live())
    ReportSync(call, *pool, Fault::kQueryNotEnded, absl::StrCat(active.query), vuid);
}

void Record(Recorder& recorder, PlainObject& pool, uint32_t query, bool begins, bool ends) {
  // A query in a subpass with several views takes one query of the pool for each view.
  if (MayHaveViews(recorder.state())) StateOf(pool).NoteUnseenWrites();
  recorder.Append<RecordedQuery>(&pool, pool.generation.load(std::memory_order_relaxed), query,
                                 begins, ends);
}

void Begin(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query,
           VkQueryControlFlags flags, uint32_t index) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  if (pool == nullptr || !CheckQuery(call, *pool, query, "query-00802")) return;
  CommandBufferState& state = recorder.state();
  const uint32_t type = StateOf(*pool).type();
  if (type == VK_QUERY_TYPE_TIMESTAMP) [[unlikely]]
    return ReportSync(call, *pool, Fault::kQueryBeginsTimestamp, absl::StrCat(query));
  // Queries of one type with different indices may be active together.
  const bool same = std::ranges::any_of(state.queries, [&](const ActiveQuery& active) {
    return active.type == type && active.index == index && active.pool.get() != nullptr;
  });
  if (same && type != QueryPoolState::kUnknown) [[unlikely]] {
    ReportSync(call, *pool, Fault::kQueryTypeActive, absl::StrCat(query),
               IsIndexed(call) ? "queryPool-04753" : "queryPool-01922");
  }
  CheckQueryBegin(call, state, *pool, query, flags, index);
  if (std::ranges::find(state.begun_types, type) == state.begun_types.end())
    state.begun_types.push_back(type);
  if (FindActive(state, *pool, query) == nullptr)
    state.queries.push_back(
        {WeakRef<PlainObject>(pool), query, type, index, ScopeOf(state), flags});
  Record(recorder, *pool, query, true, false);
}

void End(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query,
         uint32_t index) {
  Recorder recorder(call, commands);
  if (!recorder) return ForgetResets(call, handle);
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  if (pool == nullptr ||
      !CheckQuery(call, *pool, query, IsIndexed(call) ? "query-02343" : "query-00810"))
    return;
  CommandBufferState& state = recorder.state();
  if (ActiveQuery* active = FindActive(state, *pool, query); active == nullptr) [[unlikely]] {
    ReportSync(call, *pool, Fault::kQueryNotActive, absl::StrCat(query),
               IsIndexed(call) ? "None-02342" : "None-01923");
  } else {
    if (active->subpass == ActiveQuery::kOutside && ScopeOf(state) != ActiveQuery::kOutside)
        [[unlikely]]
      ReportSync(call, *pool, Fault::kQueryOfOtherScope, absl::StrCat(query));
    if (IsIndexed(call)) CheckQueryIndex(call, *pool, query, index, active->index);
    state.queries.erase(state.queries.begin() + (active - state.queries.begin()));
  }
  Record(recorder, *pool, query, false, true);
}

void WriteTimestamp(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query) {
  Recorder recorder(call, commands);
  if (!recorder) return ForgetResets(call, handle);
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  const bool second = std::string_view(call.info().name).starts_with("vkCmdWriteTimestamp2");
  if (second && pool != nullptr) CheckSync2(call, *pool, "03858");
  if (pool == nullptr || !CheckQuery(call, *pool, query, second ? "query-04903" : "query-04904"))
    return;
  const uint32_t type = StateOf(*pool).type();
  if (type != VK_QUERY_TYPE_TIMESTAMP && type != QueryPoolState::kUnknown) [[unlikely]]
    return ReportSync(call, *pool, Fault::kTimestampOfOtherType, absl::StrCat(query));
  CheckTimestamp(call, recorder.state(), *pool, query);
  Record(recorder, *pool, query, true, true);
}

// Adds a finding if the pool lacks some of these queries.
void CheckQueries(VkCall& call, const PlainObject& pool, uint32_t first, uint32_t count) {
  const uint32_t all = StateOf(pool).count();
  if (first < all && count <= all - first) [[likely]]
    return;
  ReportSync(call, pool, Fault::kQueryRange,
             absl::StrCat("queries ", first, " to ", uint64_t{first} + count - 1, " of the ", all,
                          " queries"),
             first < all ? "firstQuery-09437" : "firstQuery-09436");
}

// Adds a finding if a batch that is not known to be complete uses one of these queries.
void CheckNotPending(VkCall& call, const PlainObject& pool, uint32_t first, uint32_t count) {
  QueryPoolState& state = StateOf(pool);
  const HostClock& host = call.tracker().ordering().host();
  if (HasParked(call.device())) [[unlikely]] {
    rules::PendingUse parked;
    if (const auto query = FindParkedQuery(call, pool, first, count, &parked)) {
      rules::QueryUse use;
      use.pool = &pool;
      use.query = *query;
      use.pending = parked.pending;
      use.site = parked.site;
      return rules::OnQueryUse(use, call);
    }
  }
  if (!state.used.MayBePending(host)) [[likely]]
    return;
  for (uint32_t i = 0; i < count; ++i) {
    const Snapshot writers = state.PointOf(first + i, 1);
    const auto epochs = writers.clock.epochs();
    if (std::ranges::all_of(epochs, [&](Epoch epoch) { return host.Completed(epoch); })) continue;
    rules::QueryUse use;
    use.pool = &pool;
    use.query = first + i;
    {
      std::lock_guard lock(state.held_lock);
      use.pending = state.used.call;
      use.site = state.used.site;
    }
    if (use.pending != nullptr) rules::OnQueryUse(use, call);
    return;
  }
}

}  // namespace

PlainObject* HoldQueryPool(VkCall& call, Recorder& recorder, VkQueryPool pool) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kQueryPool, HandleOf(pool), "queryPool"));
  if (object != nullptr) recorder.Hold(*object);
  return object;
}

void CheckQueryResults(VkCall& call, const PlainObject& pool, uint32_t first, uint32_t count,
                       bool host) {
  CheckQueries(call, pool, first, count);
  if (!host) return;
  bool never = !StateOf(pool).was_reset();
  // Work that waits itself may reset queries.
  if (!never && !HasParked(call.device())) {
    const auto found = StateOf(pool).FindUnavailable(first, count);
    never = found && found->phase == QueryPoolState::Phase::kNeverReset;
    if (never) first = found->query;
  }
  if (never) [[unlikely]]
    ReportSync(call, pool, Fault::kQueryNeverReset, absl::StrCat(first),
               "vkGetQueryPoolResults-None-09401");
}

void CheckCopiedQueries(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                        uint32_t first, uint32_t count) {
  for (const ActiveQuery& active : state.queries) {
    if (active.pool.get() == &pool && active.query >= first && active.query - first < count)
      ReportSync(call, pool, Fault::kQueryCopiedActive, absl::StrCat(active.query));
  }
}

uint64_t ResultBytes(const PlainObject& pool, VkQueryResultFlags flags) {
  const QueryPoolState& state = StateOf(pool);
  uint64_t values = 1;  // other types have more
  if (state.type() == VK_QUERY_TYPE_PIPELINE_STATISTICS)
    values = static_cast<uint64_t>(std::popcount(state.statistics));
  if ((flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0) ++values;
  return values * ((flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4);
}

void CheckResultBytes(VkCall& call, const PlainObject& pool, uint32_t count, uint64_t bytes,
                      uint64_t stride, VkQueryResultFlags flags) {
  const uint64_t needed = (uint64_t{count} - 1) * stride + ResultBytes(pool, flags);
  if (needed <= bytes || StateOf(pool).type() == QueryPoolState::kUnknown) [[likely]]
    return;
  ReportSync(call, pool, Fault::kResultsTooLong, absl::StrCat(bytes),
             absl::StrCat(needed, " B for ", count, count == 1 ? " query" : " queries"));
}

void CheckNoQueryActive(VkCall& call, const CommandBufferState& state) {
  for (const ActiveQuery& active : state.queries) ReportActive(call, active, "commandBuffer-00061");
}

void CheckNoQueryOfPass(VkCall& call, CommandBufferState& state) {
  const bool rendering = state.pass.kind == PassInstance::Kind::kRendering;
  const bool second = IsSecond(call);
  for (const ActiveQuery& active : state.queries) {
    if (active.subpass != ActiveQuery::kOutside)
      ReportActive(call, active,
                   rendering ? (second ? "None-10613" : "None-06999")
                             : (second ? "None-07005" : "None-07004"));
  }
}

void CheckQueryReset(const RecordedQuery& record, VkCall& call, LabelId label) {
  const QueryPoolState::Query state = StateOf(*record.pool).QueryAt(record.query);
  if (state.phase == QueryPoolState::Phase::kReset) [[likely]]
    return;
  const std::string_view name = record.call->name;
  const char* vuid = name.starts_with("vkCmdWriteTimestamp2")  ? "vkCmdWriteTimestamp2-None-03864"
                     : name.starts_with("vkCmdWriteTimestamp") ? "vkCmdWriteTimestamp-None-00830"
                     : name.ends_with("IndexedEXT") ? "vkCmdBeginQueryIndexedEXT-None-00807"
                                                    : "vkCmdBeginQuery-None-00807";
  Call made(call.tracker(), *record.call, call.words(), nullptr, nullptr, record.site, label);
  if (state.phase == QueryPoolState::Phase::kNeverReset) {
    ReportSync(made, *record.pool, Fault::kQueryNeverReset, absl::StrCat(record.query), vuid);
  } else {
    ReportSync(made, *record.pool, Fault::kQueryUsedAgain, absl::StrCat(record.query), vuid,
               {state.call, state.site});
  }
}

void CheckQueryCopy(const RecordedQueryCopy& record, VkCall& call, LabelId label) {
  if (record.pool->generation.load(std::memory_order_relaxed) != record.generation) return;
  const auto found = StateOf(*record.pool).FindUnavailable(record.first, record.count);
  if (!found) [[likely]]
    return;
  Call made(call.tracker(), *record.call, call.words(), nullptr, nullptr, record.site, label);
  if (found->phase == QueryPoolState::Phase::kNeverReset) {
    ReportSync(made, *record.pool, Fault::kQueryNeverReset, absl::StrCat(found->query),
               "vkCmdCopyQueryPoolResults-None-09402");
  } else {
    ReportSync(made, *record.pool, Fault::kQueryCopiedUnavailable, absl::StrCat(found->query));
  }
}

void RecordQueryCopy(Recorder& recorder, PlainObject& pool, uint32_t first, uint32_t count) {
  recorder.Append<RecordedQueryCopy>(&pool, pool.generation.load(std::memory_order_relaxed), first,
                                     count);
}

void CmdBeginQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query,
                           VkQueryControlFlags flags) {
  Begin(call, commands, pool, query, flags, 0);
}
void CmdBeginQueryIndexed::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool,
                                  uint32_t query, VkQueryControlFlags flags, uint32_t index) {
  Begin(call, commands, pool, query, flags, index);
}
void CmdEndQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query) {
  End(call, commands, pool, query, 0);
}
void CmdEndQueryIndexed::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool,
                                uint32_t query, uint32_t index) {
  End(call, commands, pool, query, index);
}
void CmdResetQueryPool::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool handle,
                               uint32_t first, uint32_t count) {
  auto* known = FindPart<QueryPoolState>(call, ObjectKind::kQueryPool, HandleOf(handle));
  if (known != nullptr) known->NoteReset();
  Recorder recorder(call, commands);
  if (!recorder) return ForgetResets(call, handle);
  recorder.NeedOutside();
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  if (pool == nullptr) return;
  CheckQueries(call, *pool, first, count);
  for (const ActiveQuery& active : recorder.state().queries) {
    if (active.pool.get() == pool && active.query >= first && active.query - first < count)
        [[unlikely]]
      ReportSync(call, *pool, Fault::kQueryResetActive, absl::StrCat(active.query));
  }
  recorder.Append<RecordedQueryReset>(pool, pool->generation.load(std::memory_order_relaxed), first,
                                      count);
}
void ResetQueryPool::Before(VkCall& call, VkDevice, VkQueryPool handle, uint32_t first,
                            uint32_t count) {
  auto* pool = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kQueryPool, HandleOf(handle), "queryPool"));
  if (pool == nullptr) return;
  if (!call.device().features.host_query_reset) [[unlikely]]
    ReportSync(call, *pool, Fault::kQueryHostReset);
  CheckQueries(call, *pool, first, count);
  CheckNotPending(call, *pool, first, std::min(count, StateOf(*pool).count()));
  StateOf(*pool).NoteReset();
  StateOf(*pool).ResetQueries(first, count);
}
void CmdWriteTimestamp::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlagBits,
                               VkQueryPool pool, uint32_t query) {
  WriteTimestamp(call, commands, pool, query);
}
void CmdWriteTimestamp2::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags2,
                                VkQueryPool pool, uint32_t query) {
  WriteTimestamp(call, commands, pool, query);
}

}  // namespace gpusan::vulkan
