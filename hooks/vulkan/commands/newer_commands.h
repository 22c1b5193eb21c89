// Commands of Vulkan 1.4 and of extensions that the oldest supported headers lack.
#pragma once

#include "hooks/vulkan/commands/dispatches.h"
#include "hooks/vulkan/commands/draws.h"

namespace gpusan::vulkan {

struct CmdBindIndexBuffer2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkDeviceSize bytes, VkIndexType type);
};
// `info`: VkBindDescriptorSetsInfo.
struct CmdBindDescriptorSets2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
// `info`: VkPushDescriptorSetInfo.
struct CmdPushDescriptorSet2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
// `info`: VkPushDescriptorSetWithTemplateInfo.
struct CmdPushDescriptorSetWithTemplate2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};
// Binds a group of shaders of a graphics pipeline. gpusan does not know which shaders a group has.
struct CmdBindShaderGroup {
  BeforeOf<PFN_vkCmdBindPipelineShaderGroupNV> Before;
};
// Binds vertex or index buffers by address. gpusan does not know which bytes later draws read.
struct CmdBindInputsByAddress {
  template <typename... Arguments>
  void Before(VkCall& call, VkCommandBuffer commands, Arguments...) {
    Forget(call, commands);
  }
  static void Forget(VkCall& call, VkCommandBuffer commands);
};

}  // namespace gpusan::vulkan
