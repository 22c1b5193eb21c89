// Checks queries against their pool, the queue family of the command buffer, and the features of
// the device.
#pragma once

#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Whether a query in the current subpass may take several queries of its pool, one for each view.
bool MayHaveViews(const CommandBufferState& state);

// A command begins the query.
void CheckQueryBegin(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                     uint32_t query, VkQueryControlFlags flags, uint32_t index);
// A command with the index ends the query; `begun`: the index of its begin.
void CheckQueryIndex(VkCall& call, const PlainObject& pool, uint32_t query, uint32_t index,
                     uint32_t begun);
// A command writes a timestamp.
void CheckTimestamp(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                    uint32_t query);
// Adds a finding for a draw that an active query does not allow. `discards`: no primitive of the
// draw is rasterized.
[[gnu::noinline, gnu::cold]] void CheckDrawInQueries(VkCall& call, const CommandBufferState& state,
                                                     bool discards);
// A call reads the results of `count` queries. `data`: where the host gets them; 0: a command.
void CheckResultLayout(VkCall& call, const PlainObject& pool, uint32_t count, uintptr_t data,
                       uint64_t stride, VkQueryResultFlags flags);
// Adds a finding if a query is active in the primary command buffer that the secondary one does not
// inherit, or begins itself.
[[gnu::cold]] void CheckInheritedQueries(VkCall& call, const CommandBufferState& primary,
                                         const CommandBufferState& secondary);
// Checks the flags of the queries that a secondary command buffer inherits.
void CheckInheritedFlags(VkCall& call, const CommandBufferState& state,
                         const VkCommandBufferInheritanceInfo& info);

}  // namespace gpusan::vulkan
