// Video coding: the accesses of decode and encode commands to pictures and bitstreams. The layouts
// of the pictures are not compared with those that the commands require.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CmdDecodeVideo {
  BeforeOf<PFN_vkCmdDecodeVideoKHR> Before;
};
// `info`: VkVideoEncodeInfoKHR.
struct CmdEncodeVideo {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};

}  // namespace gpusan::vulkan
