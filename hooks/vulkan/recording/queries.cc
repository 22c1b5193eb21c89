// Commands that use a query pool, which must be complete before the pool is destroyed.
#include "hooks/vulkan/recording/queries.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;
using ActiveQuery = CommandBufferState::ActiveQuery;

void Report(VkCall& call, const Object& pool, Fault fault, std::string value,
            std::string other = "") {
  rules::SyncStateUse use;
  use.fault = fault;
  use.object = &pool;
  use.value = std::move(value);
  use.other = std::move(other);
  rules::OnSyncStateUse(use, call);
}

QueryPoolState& StateOf(const PlainObject& pool) {
  return static_cast<QueryPoolState&>(*pool.part);
}

// Adds a finding, and returns false, if the pool has no such query. `vuid`: the end of its name.
bool CheckQuery(VkCall& call, const PlainObject& pool, uint32_t query, const char* vuid) {
  const uint32_t count = StateOf(pool).count;
  if (query < count) [[likely]]
    return true;
  Report(call, pool, Fault::kQueryRange,
         absl::StrCat("query ", query, " of the ", count, " queries"), vuid);
  return false;
}

ActiveQuery* FindActive(CommandBufferState& state, const PlainObject& pool, uint32_t query) {
  for (ActiveQuery& active : state.queries) {
    if (active.pool == &pool && active.query == query) return &active;
  }
  return nullptr;
}

uint32_t ScopeOf(const CommandBufferState& state) {
  return state.pass.kind == PassInstance::Kind::kNone ? ActiveQuery::kOutside : state.pass.subpass;
}

void ReportActive(VkCall& call, const ActiveQuery& active, const char* vuid) {
  if (active.pool->live())
    Report(call, *active.pool, Fault::kQueryNotEnded, absl::StrCat(active.query), vuid);
}

// The command makes the result of the query available.
void RecordEnd(Recorder& recorder, PlainObject& pool, uint32_t query) {
  recorder.Append<RecordedQuery>(&pool, pool.generation.load(std::memory_order_relaxed), query);
}

void Begin(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  if (pool == nullptr || !CheckQuery(call, *pool, query, "query-00802")) return;
  CommandBufferState& state = recorder.state();
  const uint32_t type = StateOf(*pool).type;
  if (type == VK_QUERY_TYPE_TIMESTAMP) [[unlikely]]
    return Report(call, *pool, Fault::kQueryBeginsTimestamp, absl::StrCat(query));
  // Indexed queries of one type may be active together.
  const bool same = type <= VK_QUERY_TYPE_PIPELINE_STATISTICS &&
                    std::ranges::any_of(state.queries, [&](const ActiveQuery& active) {
                      return active.type == type;
                    });
  if (same) [[unlikely]]
    Report(call, *pool, Fault::kQueryTypeActive, absl::StrCat(query));
  if (FindActive(state, *pool, query) == nullptr)
    state.queries.push_back({pool, query, type, ScopeOf(state)});
}

void End(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  if (pool == nullptr || !CheckQuery(call, *pool, query, "query-00810")) return;
  CommandBufferState& state = recorder.state();
  if (ActiveQuery* active = FindActive(state, *pool, query); active == nullptr) [[unlikely]] {
    Report(call, *pool, Fault::kQueryNotActive, absl::StrCat(query));
  } else {
    if (active->subpass == ActiveQuery::kOutside && ScopeOf(state) != ActiveQuery::kOutside)
        [[unlikely]]
      Report(call, *pool, Fault::kQueryOfOtherScope, absl::StrCat(query));
    state.queries.erase(state.queries.begin() + (active - state.queries.begin()));
  }
  RecordEnd(recorder, *pool, query);
}

void WriteTimestamp(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  const bool second = std::string_view(call.info().name).starts_with("vkCmdWriteTimestamp2");
  if (pool == nullptr || !CheckQuery(call, *pool, query, second ? "query-04903" : "query-04904"))
    return;
  if (StateOf(*pool).type != VK_QUERY_TYPE_TIMESTAMP) [[unlikely]]
    return Report(call, *pool, Fault::kTimestampOfOtherType, absl::StrCat(query));
  RecordEnd(recorder, *pool, query);
}

// Adds a finding if the pool lacks some of these queries.
void CheckQueries(VkCall& call, const PlainObject& pool, uint32_t first, uint32_t count) {
  const uint32_t all = StateOf(pool).count;
  if (first < all && count <= all - first) [[likely]]
    return;
  Report(call, pool, Fault::kQueryRange,
         absl::StrCat("queries ", first, " to ", uint64_t{first} + count - 1, " of the ", all,
                      " queries"),
         first < all ? "firstQuery-09437" : "firstQuery-09436");
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
  if (host && !StateOf(pool).was_reset.load(std::memory_order_relaxed)) [[unlikely]]
    Report(call, pool, Fault::kQueryNeverReset, absl::StrCat(first),
           "vkGetQueryPoolResults-None-09401");
}

void CheckNoQueryActive(VkCall& call, const CommandBufferState& state) {
  for (const ActiveQuery& active : state.queries) ReportActive(call, active, "commandBuffer-00061");
}

void CheckNoQueryOfPass(VkCall& call, CommandBufferState& state) {
  const bool rendering = state.pass.kind == PassInstance::Kind::kRendering;
  const bool second = std::string_view(call.info().name).find('2') != std::string_view::npos;
  for (const ActiveQuery& active : state.queries) {
    if (active.subpass != ActiveQuery::kOutside)
      ReportActive(call, active,
                   rendering ? (second ? "None-10613" : "None-06999")
                             : (second ? "None-07005" : "None-07004"));
  }
}

void CheckQueryReset(const RecordedQuery& record, VkCall& call, LabelId label) {
  const QueryPoolState& pool = StateOf(*record.pool);
  if (pool.was_reset.load(std::memory_order_relaxed)) [[likely]]
    return;
  const std::string_view name = record.call->name;
  rules::SyncStateUse use;
  use.fault = Fault::kQueryNeverReset;
  use.object = record.pool;
  use.value = absl::StrCat(record.query);
  use.other = name.starts_with("vkCmdWriteTimestamp2")  ? "vkCmdWriteTimestamp2-None-03864"
              : name.starts_with("vkCmdWriteTimestamp") ? "vkCmdWriteTimestamp-None-00830"
              : name.ends_with("IndexedEXT")            ? "vkCmdBeginQueryIndexedEXT-None-00807"
                                                        : "vkCmdBeginQuery-None-00807";
  Call made(call.tracker(), *record.call, call.words(), nullptr, nullptr, record.site, label);
  rules::OnSyncStateUse(use, made);
}

void CmdBeginQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query,
                           VkQueryControlFlags) {
  Begin(call, commands, pool, query);
}
void CmdBeginQueryIndexed::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool,
                                  uint32_t query, VkQueryControlFlags, uint32_t) {
  Begin(call, commands, pool, query);
}
void CmdEndQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query) {
  End(call, commands, pool, query);
}
void CmdEndQueryIndexed::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool,
                                uint32_t query, uint32_t) {
  End(call, commands, pool, query);
}
void CmdResetQueryPool::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool handle,
                               uint32_t first, uint32_t count) {
  if (auto* known = FindPart<QueryPoolState>(call, ObjectKind::kQueryPool, HandleOf(handle)))
    known->was_reset.store(true, std::memory_order_relaxed);
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.NeedOutside();
  PlainObject* pool = HoldQueryPool(call, recorder, handle);
  if (pool == nullptr) return;
  CheckQueries(call, *pool, first, count);
  for (const ActiveQuery& active : recorder.state().queries) {
    if (active.pool == pool && active.query >= first && active.query - first < count) [[unlikely]]
      ReportActive(call, active, "None-02841");
  }
}
void ResetQueryPool::Before(VkCall& call, VkDevice, VkQueryPool handle, uint32_t first,
                            uint32_t count) {
  auto* pool = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kQueryPool, HandleOf(handle), "queryPool"));
  if (pool == nullptr) return;
  CheckQueries(call, *pool, first, count);
  StateOf(*pool).was_reset.store(true, std::memory_order_relaxed);
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
