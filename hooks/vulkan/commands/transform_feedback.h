// Transform feedback: where it may begin and end, and the buffers that it uses.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

// gpusan does not know which bytes the draws write.
struct CmdBeginTransformFeedback {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const VkBuffer* counters, const VkDeviceSize* offsets);
};
struct CmdEndTransformFeedback {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const VkBuffer* counters, const VkDeviceSize* offsets);
};
struct CmdBindTransformFeedbackBuffers {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const VkBuffer* buffers, const VkDeviceSize* offsets, const VkDeviceSize* sizes);
};
// Binds buffers by their addresses.
struct CmdBeginTransformFeedback2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const void* counters);
};
struct CmdEndTransformFeedback2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const void* counters);
};

}  // namespace gpusan::vulkan
