// Commands that bind pipelines and descriptors, and dispatches.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

struct CmdBindPipeline {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
              VkPipeline pipeline);
};
// Binds sets without dynamic descriptors to slots that were bound before. Returns false if a set or
// a slot needs the slow path; the slots that it bound by then are bound again there.
[[gnu::noinline]] bool BindPlainSets(Tracker& tracker, VkCommandBuffer commands,
                                     VkPipelineBindPoint point, uint32_t first, uint32_t count,
                                     const VkDescriptorSet* sets);
struct CmdBindDescriptorSets {
  [[gnu::always_inline]] static const Scope* Quick(const CallInfo&, const void*, const void*,
                                                   VkCommandBuffer commands,
                                                   VkPipelineBindPoint point, VkPipelineLayout,
                                                   uint32_t first, uint32_t count,
                                                   const VkDescriptorSet* sets, uint32_t,
                                                   const uint32_t*) {
    CommandBufferState* state = QuickState(commands);
    if (state == nullptr) [[unlikely]]
      return nullptr;
    BindPoint& bound = state->bindings.At(point);
    if (bound.sets.size() < size_t{first} + count) [[unlikely]]
      return nullptr;
    const uint32_t released = released_objects.load(std::memory_order_relaxed);
    BoundSet* slot = bound.sets.data() + first;
    for (const VkDescriptorSet* end = sets + count; sets != end; ++sets, ++slot) {
      PlainObject* set = recent_sets.Find(HandleOf(*sets));
      // A set whose mark is current is live.
      if (set == nullptr || set->handle != HandleOf(*sets) ||
          set->mark.load(std::memory_order_relaxed) != released || slot->plain_at == 0) [[unlikely]]
        return nullptr;
      slot->Bind(set, released);
    }
    --state->quick_left;
    return state->scope;
  }
  static bool Short(Tracker& tracker, const Place&, VkCommandBuffer commands,
                    VkPipelineBindPoint point, VkPipelineLayout, uint32_t first, uint32_t count,
                    const VkDescriptorSet* sets, uint32_t, const uint32_t*) {
    return BindPlainSets(tracker, commands, point, first, count, sets);
  }
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
              VkPipelineLayout layout, uint32_t first, uint32_t count, const VkDescriptorSet* sets,
              uint32_t offset_count, const uint32_t* offsets);
};
struct CmdPushDescriptorSet {
  void Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
              VkPipelineLayout layout, uint32_t set, uint32_t count,
              const VkWriteDescriptorSet* writes);
};
struct CmdPushDescriptorSetWithTemplate {
  void Before(VkCall& call, VkCommandBuffer commands, VkDescriptorUpdateTemplate update,
              VkPipelineLayout layout, uint32_t set, const void* data);
};
// Records a dispatch with the same pipeline as the last command, as a handler's Quick (watch.h).
[[gnu::noinline]] const Scope* DispatchQuickly(const CallInfo& info, const void* return_address,
                                               const void* frame_address, VkCommandBuffer commands);
// Records a dispatch that needs no check. Returns false, without side effects, if it needs one.
[[gnu::noinline]] bool DispatchPlainly(const CallInfo& info, const void* return_address,
                                       const void* frame_address, VkCommandBuffer commands);
struct CmdDispatch {
  [[gnu::always_inline]] static const Scope* Quick(const CallInfo& info, const void* return_address,
                                                   const void* frame_address,
                                                   VkCommandBuffer commands, uint32_t x, uint32_t y,
                                                   uint32_t z) {
    if (x == 0 || y == 0 || z == 0) [[unlikely]]
      return nullptr;
    return DispatchQuickly(info, return_address, frame_address, commands);
  }
  static bool Short(Tracker&, const Place& place, VkCommandBuffer commands, uint32_t x, uint32_t y,
                    uint32_t z) {
    // A dispatch of zero groups runs nothing.
    return x == 0 || y == 0 || z == 0 ||
           DispatchPlainly(place.info, place.return_address, place.frame_address, commands);
  }
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z);
};
struct CmdDispatchBase {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t base_x, uint32_t base_y,
              uint32_t base_z, uint32_t x, uint32_t y, uint32_t z);
};
struct CmdDispatchIndirect {
  void Before(VkCall& call, VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset);
};

}  // namespace gpusan::vulkan
