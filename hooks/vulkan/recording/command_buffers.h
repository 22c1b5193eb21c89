// Command pools and command buffers: their recordings, and when they may be recorded again.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CreateCommandPool {
  AfterOf<PFN_vkCreateCommandPool> After;
};
struct DestroyCommandPool {
  BeforeOf<PFN_vkDestroyCommandPool> Before;
};
struct ResetCommandPool {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkCommandPool pool,
                       VkCommandPoolResetFlags) {
    UseCommandPoolAlone(call, uses, pool);
  }
  BeforeOf<PFN_vkResetCommandPool> Before;
};
struct AllocateCommandBuffers {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice,
                       const VkCommandBufferAllocateInfo* info, VkCommandBuffer*) {
    UseCommandPoolAlone(call, uses, info->commandPool);
  }
  AfterOf<PFN_vkAllocateCommandBuffers> After;
};
struct FreeCommandBuffers {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkCommandPool pool, uint32_t,
                       const VkCommandBuffer*) {
    UseCommandPoolAlone(call, uses, pool);
  }
  BeforeOf<PFN_vkFreeCommandBuffers> Before;
};
struct BeginCommandBuffer {
  BeforeOf<PFN_vkBeginCommandBuffer> Before;
};
struct EndCommandBuffer {
  BeforeOf<PFN_vkEndCommandBuffer> Before;
  AfterOf<PFN_vkEndCommandBuffer> After;
};
struct ResetCommandBuffer {
  BeforeOf<PFN_vkResetCommandBuffer> Before;
};
struct CmdExecuteCommands {
  BeforeOf<PFN_vkCmdExecuteCommands> Before;
};

}  // namespace gpusan::vulkan
