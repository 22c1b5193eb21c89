// Transform feedback: where it may begin and end, and the buffers that it uses.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Records what a draw writes to the bound buffers while transform feedback is active. `surely`:
// whether the draw surely assembles a primitive. How many bytes it writes is unknown.
[[gnu::noinline, gnu::cold]] void RecordCaptures(Recorder& recorder, bool surely);

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
// Bind buffers, and read and write counters, by their addresses.
struct CmdBindTransformFeedbackBuffers2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const void* buffers);
};
struct CmdBeginTransformFeedback2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const void* counters);
};
struct CmdEndTransformFeedback2 {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t first, uint32_t count,
              const void* counters);
};

}  // namespace gpusan::vulkan
