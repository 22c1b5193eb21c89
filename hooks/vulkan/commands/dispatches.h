// Commands that bind pipelines and descriptors, and dispatches.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

struct CmdBindPipeline {
  BeforeOf<PFN_vkCmdBindPipeline> Before;
};
// The fast path of vkCmdBindDescriptorSets: binds sets without dynamic descriptors to slots that
// were bound before. Returns the scope of the command buffer. Returns nullptr if a set or a slot
// needs the slow path, which then binds all slots, also those that this function has bound. Not
// inline, and with few arguments, because the caller keeps the arguments for the real call.
[[gnu::noinline]] Scope* BindSetsFast(const Tracker* tracker, VkCommandBuffer commands,
                                      VkPipelineBindPoint point, uint32_t first, uint32_t count,
                                      const VkDescriptorSet* sets);
struct CmdBindDescriptorSets {
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands,
                                             VkPipelineBindPoint point, VkPipelineLayout,
                                             uint32_t first, uint32_t count,
                                             const VkDescriptorSet* sets, uint32_t,
                                             const uint32_t*) {
    call.scope = BindSetsFast(call.tracker, commands, point, first, count, sets);
    return call.scope != nullptr;
  }
  BeforeOf<PFN_vkCmdBindDescriptorSets> Before;
};
struct CmdPushDescriptorSet {
  BeforeOf<PFN_vkCmdPushDescriptorSetKHR> Before;
};
struct CmdPushDescriptorSetWithTemplate {
  BeforeOf<PFN_vkCmdPushDescriptorSetWithTemplateKHR> Before;
};
// The fast path of vkCmdDispatch: records a dispatch whose pipeline and sets need no check. Returns
// the scope of the command buffer; nullptr, without side effects, if the call needs the slow path.
[[gnu::noinline]] Scope* DispatchFast(const CallInfo& info, const void* return_address,
                                      const void* frame_address, VkCommandBuffer commands,
                                      uint32_t x, uint32_t y, uint32_t z);
struct CmdDispatch {
  [[gnu::always_inline]] static bool TryFast(FastCall& call, VkCommandBuffer commands, uint32_t x,
                                             uint32_t y, uint32_t z) {
    // Wraps around for a dispatch of zero groups, which records nothing. More groups may exceed the
    // limits of a device.
    constexpr uint32_t kLeastLimit = 65535;
    if (((x - 1) | (y - 1) | (z - 1)) >= kLeastLimit) [[unlikely]]
      return false;
    call.scope =
        DispatchFast(call.info, call.return_address, call.frame_address, commands, x, y, z);
    return call.scope != nullptr;
  }
  BeforeOf<PFN_vkCmdDispatch> Before;
};
struct CmdDispatchBase {
  BeforeOf<PFN_vkCmdDispatchBase> Before;
};
struct CmdDispatchIndirect {
  BeforeOf<PFN_vkCmdDispatchIndirect> Before;
};
// The numbers of groups are in memory that the command names by its address.
struct CmdDispatchIndirect2 {
  void Before(VkCall& call, VkCommandBuffer commands, const void* info);
};

}  // namespace gpusan::vulkan
