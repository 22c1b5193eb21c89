// Commands that the oldest supported headers lack.
#include "hooks/vulkan/recording/newer_commands.h"

namespace gpusan::vulkan {

void CmdBindIndexBuffer2::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                 VkDeviceSize offset, VkDeviceSize bytes, VkIndexType) {
  BindIndexBuffer(call, commands, buffer, offset, bytes);
}

void CmdBindDescriptorSets2::Before(VkCall& call, VkCommandBuffer commands,
                                    const VkBindDescriptorSetsInfoKHR* info) {
  auto bind = [&](VkPipelineBindPoint point) {
    CmdBindDescriptorSets().Before(call, commands, point, info->layout, info->firstSet,
                                   info->descriptorSetCount, info->pDescriptorSets,
                                   info->dynamicOffsetCount, info->pDynamicOffsets);
  };
  // Binds to each bind point that has one of the stages (Vulkan 1.4 §14.2.9).
  if ((info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT) != 0) bind(VK_PIPELINE_BIND_POINT_COMPUTE);
  if ((info->stageFlags & VK_SHADER_STAGE_ALL_GRAPHICS) != 0) bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
}

}  // namespace gpusan::vulkan
