// Command pools and command buffers: their recordings, and when they may be recorded again.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct CreateCommandPool {
  void After(VkCall& call, VkResult code, VkDevice device, const VkCommandPoolCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkCommandPool* pool);
};
struct DestroyCommandPool {
  void Before(VkCall& call, VkDevice device, VkCommandPool pool,
              const VkAllocationCallbacks* allocator);
};
struct ResetCommandPool {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkCommandPool pool,
                       VkCommandPoolResetFlags) {
    UseCommandPoolAlone(call, uses, pool);
  }
  void Before(VkCall& call, VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags);
};
struct AllocateCommandBuffers {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice,
                       const VkCommandBufferAllocateInfo* info, VkCommandBuffer*) {
    UseCommandPoolAlone(call, uses, info->commandPool);
  }
  void After(VkCall& call, VkResult code, VkDevice device, const VkCommandBufferAllocateInfo* info,
             VkCommandBuffer* buffers);
};
struct FreeCommandBuffers {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkCommandPool pool, uint32_t,
                       const VkCommandBuffer*) {
    UseCommandPoolAlone(call, uses, pool);
  }
  void Before(VkCall& call, VkDevice device, VkCommandPool pool, uint32_t count,
              const VkCommandBuffer* buffers);
};
struct BeginCommandBuffer {
  void Before(VkCall& call, VkCommandBuffer commands, const VkCommandBufferBeginInfo* info);
};
struct EndCommandBuffer {
  void Before(VkCall& call, VkCommandBuffer commands);
  void After(VkCall& call, VkResult code, VkCommandBuffer commands);
};
struct ResetCommandBuffer {
  void Before(VkCall& call, VkCommandBuffer commands, VkCommandBufferResetFlags flags);
};
struct CmdExecuteCommands {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
              const VkCommandBuffer* buffers);
};

}  // namespace gpusan::vulkan
