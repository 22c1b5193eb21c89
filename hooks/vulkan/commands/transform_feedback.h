// Transform feedback: where it may begin and end, and the buffers that it uses.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// Records what a draw writes to the bound buffers while transform feedback is active. `surely`:
// whether the draw surely assembles a primitive. How many bytes it writes is unknown.
[[gnu::noinline, gnu::cold]] void RecordCaptures(Recorder& recorder, bool surely);

struct CmdBeginTransformFeedback {
  BeforeOf<PFN_vkCmdBeginTransformFeedbackEXT> Before;
};
struct CmdEndTransformFeedback {
  BeforeOf<PFN_vkCmdEndTransformFeedbackEXT> Before;
};
struct CmdBindTransformFeedbackBuffers {
  BeforeOf<PFN_vkCmdBindTransformFeedbackBuffersEXT> Before;
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
