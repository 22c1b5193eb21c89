// Commands that use a query pool, which must be complete before the pool is destroyed.
#include "hooks/vulkan/recording/queries.h"

namespace gpusan::vulkan {
namespace {

void Record(VkCall& call, VkCommandBuffer commands, VkQueryPool pool) {
  if (Recorder recorder(call, commands); recorder) HoldQueryPool(call, recorder, pool);
}

// The command makes the result of the query available.
void RecordEnd(VkCall& call, VkCommandBuffer commands, VkQueryPool handle, uint32_t query) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  if (PlainObject* pool = HoldQueryPool(call, recorder, handle); pool != nullptr) {
    recorder.Append<RecordedQuery>(pool, pool->generation.load(std::memory_order_relaxed), query);
  }
}

}  // namespace

PlainObject* HoldQueryPool(VkCall& call, Recorder& recorder, VkQueryPool pool) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kQueryPool, HandleOf(pool), "queryPool"));
  if (object != nullptr) recorder.Hold(*object);
  return object;
}

void CmdBeginQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t,
                           VkQueryControlFlags) {
  Record(call, commands, pool);
}
void CmdEndQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query) {
  RecordEnd(call, commands, pool, query);
}
void CmdResetQueryPool::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t,
                               uint32_t) {
  Record(call, commands, pool);
}
void CmdWriteTimestamp::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlagBits,
                               VkQueryPool pool, uint32_t query) {
  RecordEnd(call, commands, pool, query);
}
void CmdWriteTimestamp2::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags2,
                                VkQueryPool pool, uint32_t query) {
  RecordEnd(call, commands, pool, query);
}

}  // namespace gpusan::vulkan
