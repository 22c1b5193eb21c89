// Commands of Vulkan 1.4 and of extensions that the oldest supported headers lack.
#include "hooks/vulkan/commands/newer_commands.h"

#include "hooks/vulkan/call/later_vulkan.h"

namespace gpusan::vulkan {
namespace {

// Calls bind(VkPipelineBindPoint) for each bind point that has one of the stages (Vulkan 1.4
// §14.2.9).
template <typename Bind>
void ForEachPoint(VkShaderStageFlags stages, Bind bind) {
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) bind(VK_PIPELINE_BIND_POINT_COMPUTE);
  if ((stages & VK_SHADER_STAGE_ALL_GRAPHICS) != 0) bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
}

}  // namespace

void CmdBindIndexBuffer2::Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer,
                                 VkDeviceSize offset, VkDeviceSize bytes, VkIndexType type) {
  BindIndexBuffer(call, commands, buffer, offset, bytes, type);
}

void CmdBindDescriptorSets2::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info =
      later::Read<later::VkBindDescriptorSetsInfo>(call, argument, "pBindDescriptorSetsInfo");
  if (info == nullptr || info->pDescriptorSets == nullptr) return;
  const uint32_t offsets = info->pDynamicOffsets != nullptr ? info->dynamicOffsetCount : 0;
  ForEachPoint(info->stageFlags, [&](VkPipelineBindPoint point) {
    CmdBindDescriptorSets().Before(call, commands, point, info->layout, info->firstSet,
                                   info->descriptorSetCount, info->pDescriptorSets, offsets,
                                   info->pDynamicOffsets);
  });
}

void CmdPushDescriptorSet2::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info =
      later::Read<later::VkPushDescriptorSetInfo>(call, argument, "pPushDescriptorSetInfo");
  if (info == nullptr || info->pDescriptorWrites == nullptr) return;
  ForEachPoint(info->stageFlags, [&](VkPipelineBindPoint point) {
    CmdPushDescriptorSet().Before(call, commands, point, info->layout, info->set,
                                  info->descriptorWriteCount, info->pDescriptorWrites);
  });
}

void CmdPushDescriptorSetWithTemplate2::Before(VkCall& call, VkCommandBuffer commands,
                                               const void* argument) {
  const auto* info = later::Read<later::VkPushDescriptorSetWithTemplateInfo>(
      call, argument, "pPushDescriptorSetWithTemplateInfo");
  if (info == nullptr) return;
  CmdPushDescriptorSetWithTemplate().Before(call, commands, info->descriptorUpdateTemplate,
                                            info->layout, info->set, info->pData);
}

void CmdBindShaderGroup::Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                                VkPipeline, uint32_t) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  BindPoint& bound = state->bindings.At(point);
  bound.pipeline = WeakRef<PlainObject>();
  bound.plain_at = bound.needed_sets = 0;
  bound.occupied = true;
  state->bindings.shader_stages = 0;
}

void CmdBindInputsByAddress::Forget(VkCall& call, VkCommandBuffer commands) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  state->bindings.ForgetInputs();
}

}  // namespace gpusan::vulkan
