// Commands that the oldest supported headers lack: declared here if the headers do not declare them
// (Vulkan 1.4, VK_KHR_maintenance5, VK_KHR_maintenance6).
#pragma once

#include "hooks/vulkan/recording/dispatches.h"
#include "hooks/vulkan/recording/draws.h"

#ifndef VK_KHR_maintenance5
using PFN_vkCmdBindIndexBuffer2KHR = void(VKAPI_PTR*)(VkCommandBuffer, VkBuffer, VkDeviceSize,
                                                      VkDeviceSize, VkIndexType);
#endif
#ifndef VK_KHR_maintenance6
struct VkBindDescriptorSetsInfoKHR {
  VkStructureType sType;
  const void* pNext;
  VkShaderStageFlags stageFlags;
  VkPipelineLayout layout;
  uint32_t firstSet;
  uint32_t descriptorSetCount;
  const VkDescriptorSet* pDescriptorSets;
  uint32_t dynamicOffsetCount;
  const uint32_t* pDynamicOffsets;
};
using PFN_vkCmdBindDescriptorSets2KHR = void(VKAPI_PTR*)(VkCommandBuffer,
                                                         const VkBindDescriptorSetsInfoKHR*);
#endif
#ifndef VK_VERSION_1_4
using PFN_vkCmdBindIndexBuffer2 = PFN_vkCmdBindIndexBuffer2KHR;
using PFN_vkCmdBindDescriptorSets2 = PFN_vkCmdBindDescriptorSets2KHR;
using PFN_vkCmdPushDescriptorSet = PFN_vkCmdPushDescriptorSetKHR;
using PFN_vkCmdPushDescriptorSetWithTemplate = PFN_vkCmdPushDescriptorSetWithTemplateKHR;
#endif

namespace gpusan::vulkan {

struct CmdBindIndexBuffer2 {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
              VkDeviceSize bytes, VkIndexType type);
};
struct CmdBindDescriptorSets2 {
  void Before(VkCall& call, VkCommandBuffer commands, const VkBindDescriptorSetsInfoKHR* info);
};

}  // namespace gpusan::vulkan
