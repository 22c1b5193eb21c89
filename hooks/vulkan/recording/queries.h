// Commands that use a query pool, which must be complete before the pool is destroyed.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// Records that a command uses the pool. Returns the pool; nullptr for an unusable handle.
PlainObject* HoldQueryPool(VkCall& call, Recorder& recorder, VkQueryPool pool);

struct CmdBeginQuery {
  void Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query,
              VkQueryControlFlags flags);
};
struct CmdEndQuery {
  void Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t query);
};
struct CmdResetQueryPool {
  void Before(VkCall& call, VkCommandBuffer commands, VkQueryPool pool, uint32_t first,
              uint32_t count);
};
struct CmdWriteTimestamp {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlagBits stage,
              VkQueryPool pool, uint32_t query);
};
struct CmdWriteTimestamp2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineStageFlags2 stage, VkQueryPool pool,
              uint32_t query);
};

}  // namespace gpusan::vulkan
