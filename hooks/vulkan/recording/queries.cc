// Commands that use a query pool, which must be complete before the pool is destroyed.
#include "hooks/vulkan/recording/queries.h"

namespace gpusan::vulkan {
namespace {

void Record(VkCall& call, VkCommandBuffer commands, VkQueryPool pool) {
  if (Recorder recorder(call, commands); recorder) HoldQueryPool(call, recorder, pool);
}

}  // namespace

void HoldQueryPool(VkCall& call, Recorder& recorder, VkQueryPool pool) {
  Object* object =
      call.tracker().objects().Use(call, ObjectKind::kQueryPool, HandleOf(pool), "queryPool");
  if (object != nullptr) recorder.Hold(static_cast<PlainObject&>(*object));
}

void CmdBeginQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t,
                           VkQueryControlFlags) {
  Record(call, commands, pool);
}
void CmdEndQuery::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t) {
  Record(call, commands, pool);
}
void CmdResetQueryPool::Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t,
                               uint32_t) {
  Record(call, commands, pool);
}
void CmdWriteTimestamp::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlagBits,
                               VkQueryPool pool, uint32_t) {
  Record(call, commands, pool);
}
void CmdWriteTimestamp2::Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags2,
                                VkQueryPool pool, uint32_t) {
  Record(call, commands, pool);
}

}  // namespace gpusan::vulkan
