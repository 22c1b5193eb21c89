// Checks of queries while commands are recorded.
#include "hooks/vulkan/recording/query_checks.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/recording/queries.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

constexpr uint32_t kFeedback = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT;
constexpr uint32_t kGenerated = VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;

const QueryPoolState& StateOf(const PlainObject& pool) {
  return static_cast<const QueryPoolState&>(*pool.part);
}

// The number of queries that one query takes in the current subpass: one for each view.
uint32_t ViewsOf(const PassInstance& pass) {
  if (pass.kind == PassInstance::Kind::kNone) return 1;
  const uint32_t views = pass.pass_info == nullptr ? pass.formats.views
                         : pass.subpass < pass.pass_info->subpasses.size()
                             ? pass.pass_info->subpasses[pass.subpass].views
                             : 0;
  return std::max(1, std::popcount(views));
}

// Adds a finding if the views of the subpass need queries that the pool lacks.
void CheckViews(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                uint32_t query, const char* vuid) {
  const uint32_t views = ViewsOf(state.pass);
  if (views > 1 && uint64_t{query} + views > StateOf(pool).count()) [[unlikely]]
    ReportSync(call, pool, Fault::kQueryViews, absl::StrCat(query), vuid);
}

// Whether the device may have a vertex stream with the index.
bool IsStream(const VkCall& call, uint32_t index) {
  const uint32_t streams = call.device().feedback_streams;
  return streams == 0 || index < streams;
}

}  // namespace

bool MayHaveViews(const CommandBufferState& state) {
  return state.secondary || ViewsOf(state.pass) > 1;
}

void CheckQueryBegin(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                     uint32_t query, VkQueryControlFlags flags, uint32_t index) {
  const QueryPoolState& known = StateOf(pool);
  const uint32_t type = known.type();
  if (type == QueryPoolState::kUnknown) return;
  const bool indexed = std::string_view(call.info().name).ends_with("IndexedEXT");
  const auto report = [&](Fault fault, const char* vuid) {
    ReportSync(call, pool, fault, absl::StrCat(query), vuid);
  };
  if ((flags & VK_QUERY_CONTROL_PRECISE_BIT) != 0) {
    if (type != VK_QUERY_TYPE_OCCLUSION) {
      report(Fault::kQueryPrecise, "the pool counts no samples");
    } else if (!call.device().features.precise_occlusion) {
      report(Fault::kQueryPrecise, "the device lacks the feature");
    }
  }
  const VkQueueFlags family = call.device().flags_of(state.family);
  constexpr VkQueryPipelineStatisticFlags kCompute =
      VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
  if ((family & VK_QUEUE_GRAPHICS_BIT) == 0) {
    if (type == VK_QUERY_TYPE_OCCLUSION) report(Fault::kQueryFamily, "queryType-00803");
    if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS && (known.statistics & ~kCompute) != 0)
      report(Fault::kQueryFamily, "queryType-00804");
    if (type == kGenerated)
      report(Fault::kQueryFamily, indexed ? "queryType-06689" : "queryType-06687");
  }
  if ((family & VK_QUEUE_COMPUTE_BIT) == 0 && type == VK_QUERY_TYPE_PIPELINE_STATISTICS &&
      (known.statistics & kCompute) != 0)
    report(Fault::kQueryFamily, "queryType-00805");
  const Features& features = call.device().features;
  if (type == kGenerated && !features.primitive_queries)
    report(Fault::kQueryFeature, indexed ? "queryType-06693" : "queryType-06688");
  if (index != 0 && type == kGenerated && !features.primitive_streams)
    report(Fault::kQueryFeature, "queryType-06691");
  if (index != 0 && type != kFeedback && type != kGenerated) [[unlikely]] {
    report(Fault::kQueryNoIndex, "06692");
  } else if (!IsStream(call, index)) {
    report(Fault::kQueryStream, type == kFeedback ? "02339" : "06690");
  }
  CheckViews(call, state, pool, query, "query-00808");
}

void CheckQueryIndex(VkCall& call, const PlainObject& pool, uint32_t query, uint32_t index,
                     uint32_t begun) {
  const uint32_t type = StateOf(pool).type();
  if (type == QueryPoolState::kUnknown) return;
  if (type != kFeedback && type != kGenerated) {
    if (index != 0) [[unlikely]]
      ReportSync(call, pool, Fault::kQueryNoIndex, absl::StrCat(query), "06695");
  } else if (!IsStream(call, index)) {
    ReportSync(call, pool, Fault::kQueryStream, absl::StrCat(query), "06694");
  } else if (index != begun) {
    ReportSync(call, pool, Fault::kQueryIndex, absl::StrCat(query), "06696");
  }
}

void CheckTimestamp(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                    uint32_t query) {
  const bool second = std::string_view(call.info().name).starts_with("vkCmdWriteTimestamp2");
  const Device& device = call.device();
  if (state.family < device.families.size() &&
      device.families[state.family].timestampValidBits == 0) [[unlikely]] {
    ReportSync(call, pool, Fault::kQueryFamily, absl::StrCat(query),
               second ? "timestampValidBits-03863" : "timestampValidBits-00829");
  }
  CheckViews(call, state, pool, query, second ? "query-03865" : "query-00831");
}

void CheckDrawInQueries(VkCall& call, const CommandBufferState& state, bool discards) {
  const bool mesh = std::string_view(call.info().name).starts_with("vkCmdDrawMeshTasks");
  for (const CommandBufferState::ActiveQuery& active : state.queries) {
    if (active.pool.get() == nullptr) continue;
    const auto report = [&](const char* text, const char* vuid) {
      ReportSync(call, *state.object, Fault::kDrawsInQuery, text, vuid);
    };
    if (mesh && active.type == kFeedback)
      report("counts transform feedback, which mesh shaders do not have", "None-07074");
    if (mesh && active.type == kGenerated)
      report("counts generated primitives, which mesh shaders do not have", "None-07075");
    if (active.type == kGenerated && discards && !call.device().features.primitive_discards) {
      report(
          "counts generated primitives, although the draw discards them before rasterization and "
          "the device lacks the feature primitivesGeneratedQueryWithRasterizerDiscard",
          "primitivesGeneratedQueryWithRasterizerDiscard-06708");
    }
  }
}

namespace {

// Adds a finding if the type of the queries does not allow the flags.
void CheckResultFlags(VkCall& call, const PlainObject& pool, uint32_t type,
                      VkQueryResultFlags flags) {
  // Types of VK_KHR_video_queue and VK_KHR_video_encode_queue.
  constexpr uint32_t kStatusOnly = 1000023000, kEncodeFeedback = 1000299000;
  constexpr VkQueryResultFlags kStatus = 0x10;  // VK_QUERY_RESULT_WITH_STATUS_BIT_KHR
  constexpr VkQueryResultFlags kNotOfPerformance =
      VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_64_BIT;
  const bool status = (flags & kStatus) != 0;
  if (type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR && (flags & (kNotOfPerformance | kStatus)) != 0) {
    ReportSync(call, pool, Fault::kResultFlags,
               "with flags that performance queries do not have: availability, status, partial or "
               "64 bits",
               "09440");
  } else if (type == kStatusOnly && !status) {
    ReportSync(call, pool, Fault::kResultFlags,
               "without VK_QUERY_RESULT_WITH_STATUS_BIT_KHR, although they have only a status",
               "09442");
  } else if (status && type != kStatusOnly && type != kEncodeFeedback) {
    ReportSync(call, pool, Fault::kResultFlags,
               "with VK_QUERY_RESULT_WITH_STATUS_BIT_KHR, although they have no status", "11874");
  }
}

}  // namespace

void CheckResultLayout(VkCall& call, const PlainObject& pool, uint32_t count, uintptr_t data,
                       uint64_t stride, VkQueryResultFlags flags) {
  const uint32_t type = StateOf(pool).type();
  if (type == QueryPoolState::kUnknown) return;
  CheckResultFlags(call, pool, type, flags);
  if (type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR) return;
  if (type == VK_QUERY_TYPE_TIMESTAMP && (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0) [[unlikely]]
    ReportSync(call, pool, Fault::kResultsPartial);
  const bool words = (flags & VK_QUERY_RESULT_64_BIT) != 0;
  const uint64_t word = words ? 8 : 4;
  if (count > 1 && stride == 0) [[unlikely]] {
    ReportSync(call, pool, Fault::kResultStride, "0 B", "queryCount-09438");
  } else if (count > 1 && (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0 &&
             stride < ResultBytes(pool, flags)) [[unlikely]] {
    ReportSync(call, pool, Fault::kResultStride, absl::StrCat(stride, " B"), "stride-08993");
  }
  if (data == 0) return;
  const char* vuid = words ? "flags-00815" : "flags-02828";
  if (data % word != 0) [[unlikely]] {
    ReportSync(call, pool, Fault::kResultAlignment,
               absl::StrCat("0x", absl::Hex(data), ", which is not a multiple of ", word), vuid);
  } else if (count > 1 && stride % word != 0) [[unlikely]] {
    ReportSync(call, pool, Fault::kResultAlignment,
               absl::StrCat("a stride of ", stride, " B, which is not a multiple of ", word), vuid);
  }
}

void CheckInheritedQueries(VkCall& call, const CommandBufferState& primary,
                           const CommandBufferState& secondary) {
  for (const CommandBufferState::ActiveQuery& active : primary.queries) {
    const PlainObject* pool = active.pool.get();
    if (pool == nullptr || active.type == QueryPoolState::kUnknown) continue;
    const bool occlusion = active.type == VK_QUERY_TYPE_OCCLUSION;
    const bool statistics = active.type == VK_QUERY_TYPE_PIPELINE_STATISTICS;
    const auto report = [&](Fault fault) { ReportSync(call, *secondary.object, fault); };
    if (!occlusion && !statistics) {
      report(Fault::kExecutesInQuery);
    } else if (!call.device().features.inherited_queries) {
      report(Fault::kExecutesInAnyQuery);
    } else if (occlusion && !secondary.inherits_occlusion) {
      report(Fault::kExecutesInOcclusion);
    } else if (occlusion && (active.flags & ~secondary.inherited_flags) != 0) {
      report(Fault::kExecutesInPrecise);
    } else if (statistics && (StateOf(*pool).statistics & ~secondary.inherited_statistics) != 0) {
      report(Fault::kExecutesInStatistics);
    }
    if (std::ranges::find(secondary.begun_types, active.type) != secondary.begun_types.end())
      report(Fault::kExecutesSameQuery);
  }
}

void CheckInheritedFlags(VkCall& call, const CommandBufferState& state,
                         const VkCommandBufferInheritanceInfo& info) {
  if ((info.queryFlags & VK_QUERY_CONTROL_PRECISE_BIT) == 0) [[likely]]
    return;
  if (info.occlusionQueryEnable == VK_FALSE) {
    ReportSync(call, *state.object, Fault::kInheritsPrecise, "occlusionQueryEnable is VK_FALSE");
  } else if (!call.device().features.precise_occlusion) {
    ReportSync(call, *state.object, Fault::kInheritsPrecise, "the device lacks the feature");
  }
}

}  // namespace gpusan::vulkan
