// Video coding: the pictures and bitstreams that decode and encode commands access. Layouts of
// pictures are followed through barriers, but not compared with the command's.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"

namespace gpusan::vulkan {

struct CmdDecodeVideo {
  void Before(VkCall& call, VkCommandBuffer commands, const VkVideoDecodeInfoKHR* info);
};
// `info`: VkVideoEncodeInfoKHR.
struct CmdEncodeVideo {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};

}  // namespace gpusan::vulkan
