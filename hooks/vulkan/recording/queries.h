// Commands that use a query pool, which must be complete before the pool is destroyed.
#pragma once

#include "hooks/vulkan/objects/query_pools.h"
#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Records that a command uses the pool. Returns the pool; nullptr for an unusable handle.
PlainObject* HoldQueryPool(VkCall& call, Recorder& recorder, VkQueryPool pool);

// Checks the queries whose results a call reads. `host`: the call is not a command.
void CheckQueryResults(VkCall& call, const PlainObject& pool, uint32_t first, uint32_t count,
                       bool host);
// Adds findings for queries that are active when their results are copied.
void CheckCopiedQueries(VkCall& call, const CommandBufferState& state, const PlainObject& pool,
                        uint32_t first, uint32_t count);
// The number of bytes that the result of one query has at least.
uint64_t ResultBytes(const PlainObject& pool, VkQueryResultFlags flags);
// Adds a finding if the host memory at which the results are stored is smaller than they are.
// Precondition: count != 0.
void CheckResultBytes(VkCall& call, const PlainObject& pool, uint32_t count, uint64_t bytes,
                      uint64_t stride, VkQueryResultFlags flags);
// Adds findings for queries that are active when the recording ends.
[[gnu::cold]] void CheckNoQueryActive(VkCall& call, const CommandBufferState& state);
// Adds findings for queries that were begun in the render pass and are active when it ends.
[[gnu::cold]] void CheckNoQueryOfPass(VkCall& call, CommandBufferState& state);
// Adds a finding if a submitted command ends a query of a pool that nothing has reset.
void CheckQueryReset(const RecordedQuery& record, VkCall& call, LabelId label);
// Adds a finding if a submitted command copies a result that no earlier command has made available.
void CheckQueryCopy(const RecordedQueryCopy& record, VkCall& call, LabelId label);
// Records a copy of results. `pool`: as HoldQueryPool returns it.
void RecordQueryCopy(Recorder& recorder, PlainObject& pool, uint32_t first, uint32_t count);

struct CmdBeginQuery {
  BeforeOf<PFN_vkCmdBeginQuery> Before;
};
struct CmdEndQuery {
  BeforeOf<PFN_vkCmdEndQuery> Before;
};
// The index of VK_EXT_transform_feedback names one of several counters of a query.
struct CmdBeginQueryIndexed {
  BeforeOf<PFN_vkCmdBeginQueryIndexedEXT> Before;
};
struct CmdEndQueryIndexed {
  BeforeOf<PFN_vkCmdEndQueryIndexedEXT> Before;
};
struct ResetQueryPool {
  BeforeOf<PFN_vkResetQueryPool> Before;
};
struct CmdResetQueryPool {
  BeforeOf<PFN_vkCmdResetQueryPool> Before;
};
struct CmdWriteTimestamp {
  BeforeOf<PFN_vkCmdWriteTimestamp> Before;
};
struct CmdWriteTimestamp2 {
  BeforeOf<PFN_vkCmdWriteTimestamp2> Before;
};

}  // namespace gpusan::vulkan
