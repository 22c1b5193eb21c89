// Descriptor sets: the resource that each of their descriptors names.
#pragma once

#include <memory>
#include <vector>

#include "hooks/vulkan/objects/lone_uses.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/recording_clock.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// The limits for the offset and the range of a buffer descriptor.
const Device::BufferLimits& LimitsOf(const Device& device, VkDescriptorType type);
// Whether the descriptor is a buffer whose offset is given when its set is bound.
bool IsDynamic(VkDescriptorType type);

// One binding of a layout. `first`: the index of its first descriptor in a set.
struct LayoutBinding {
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  uint32_t count = 0;
  uint32_t first = 0;
  // The descriptors may change after the set was bound: they are read when the command runs.
  bool update_after_bind = false;
  bool immutable = false;  // has immutable samplers
  // Whether its descriptors must be written before commands that use them are recorded.
  bool IsWrittenEarly() const {
    return !update_after_bind && !(immutable && type == VK_DESCRIPTOR_TYPE_SAMPLER);
  }
  VkShaderStageFlags stages = 0;
};

// A layout, shared by its object and the sets that were allocated with it.
struct SetLayout {
  std::vector<LayoutBinding> bindings;  // by binding number
  uint32_t descriptors = 0;
  bool dynamic = false;     // some binding takes a dynamic offset
  bool pushed = false;      // of push descriptors
  bool after_bind = false;  // VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
  bool limited = true;      // VkPhysicalDeviceLimits bounds the number of its descriptors
  // Its descriptors are read when a command is recorded instead of when it runs: they may change
  // until then, or the render pass determines the access.
  bool early = false;
  // Hash of its definition: layouts with different hashes are incompatible. 0: unknown.
  uint64_t identity = 0;

  // The types that a mutable descriptor may have. A binding without an entry may have any.
  struct MutableTypes {
    uint32_t binding;
    std::vector<VkDescriptorType> types;
  };
  std::vector<MutableTypes> mutable_types;
  // By descriptor: its immutable sampler. Empty: the layout has none.
  std::vector<WeakRef<PlainObject>> immutable_samplers;
  bool MayHaveType(const LayoutBinding& binding, VkDescriptorType type) const;

  // nullptr: the layout lacks the binding.
  const LayoutBinding* Find(uint32_t binding) const {
    // Most layouts have all binding numbers from 0 on.
    if (binding < bindings.size() && bindings[binding].binding == binding) [[likely]]
      return &bindings[binding];
    return FindSparse(binding);
  }

 private:
  const LayoutBinding* FindSparse(uint32_t binding) const;
};

struct SetLayoutState final : Pooled<SetLayoutState, Described> {
  std::shared_ptr<const SetLayout> layout;
  bool Equals(const SetLayoutState& other) const {
    return layout->identity != 0 && layout->identity == other.layout->identity;
  }
  void Reset() { layout.reset(); }
};

// The resource that one descriptor names; empty for descriptors without memory. The fields of
// buffer descriptors come first, so that a draw touches few cache lines.
struct Descriptor {
  WeakRef<Resource> resource;
  Layout layout = kNoLayout;  // of an image
  bool seen_through = false;  // has a view or a sampler
  bool written = false;       // also with VK_NULL_HANDLE
  bool whole = false;         // of a buffer: written with VK_WHOLE_SIZE
  uint64_t written_at = 0;    // ended_recordings at the last write
  Extent extent;
  WeakRef<PlainObject> view;
  WeakRef<PlainObject> sampler;

  void Clear() {
    resource = WeakRef<Resource>();
    layout = kNoLayout;
    seen_through = written = whole = false;
    extent.is_image = false;
    extent.region = Region();
    view = sampler = WeakRef<PlainObject>();
  }
};

// Submissions read the first cache line, commands the second. The mark of its object equals
// released_objects if the set is live, needs no check while a command is recorded, and takes no
// dynamic offsets; otherwise it is 0. The fast path of a binding reads the mark only.
struct alignas(64) DescriptorSetState final : Pooled<DescriptorSetState, HeldState> {
  PlainObject* object = nullptr;
  std::shared_ptr<const SetLayout> layout;
  std::vector<Descriptor> descriptors;
  bool dynamic = false;  // as in its layout
  // Of its pool: VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
  bool after_bind = false;
  // All resources that it names were live when released_objects had this value; 0: not checked
  // since the last update.
  uint32_t live_at = 0;
  // A descriptor that must be written before a draw or dispatch uses it was not. Valid while
  // live_at is.
  bool unwritten = false;
  WeakRef<PlainObject> layout_object;  // that it was allocated with

  void Changes() {
    live_at = 0;
    object->mark.store(0, std::memory_order_relaxed);
  }
  void Reset();
};

struct DescriptorPoolState final : Pooled<DescriptorPoolState> {
  SpinLock lock;
  std::vector<VkDescriptorSet> sets;
  // VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT
  std::atomic<bool> frees_sets{true};
  std::atomic<bool> after_bind{false};  // VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
  LastUser user;
  void Reset() {
    sets.clear();
    user.Reset();
  }
  // Its description becomes unknown.
  void Forget() { frees_sets.store(true, std::memory_order_relaxed); }
};

struct DescriptorTemplateState final : Pooled<DescriptorTemplateState, Described> {
  std::vector<VkDescriptorUpdateTemplateEntry> entries;
  VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS;  // of pushed descriptors
  void Reset() { entries.clear(); }

  // All descriptors of an entry, without their infos.
  static VkWriteDescriptorSet WriteOf(const VkDescriptorUpdateTemplateEntry& entry) {
    VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstBinding = entry.dstBinding;
    write.dstArrayElement = entry.dstArrayElement;
    write.descriptorCount = entry.descriptorCount;
    write.descriptorType = entry.descriptorType;
    return write;
  }

  // Calls visit(const VkWriteDescriptorSet&) for each descriptor of an entry in `data`; dstSet is
  // not set.
  template <typename Visitor>
  static void ForEachWrite(const VkDescriptorUpdateTemplateEntry& entry, const void* data,
                           Visitor visit) {
    // The count of an inline uniform block is in bytes.
    const bool block = entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    const uint32_t count = block ? 1 : entry.descriptorCount;
    for (uint32_t i = 0; i < count; ++i) {
      const void* at = static_cast<const std::byte*>(data) + entry.offset + i * entry.stride;
      VkWriteDescriptorSet write = WriteOf(entry);
      write.dstArrayElement = block ? 0 : entry.dstArrayElement + i;
      write.descriptorCount = 1;
      write.pImageInfo = static_cast<const VkDescriptorImageInfo*>(at);
      write.pBufferInfo = static_cast<const VkDescriptorBufferInfo*>(at);
      write.pTexelBufferView = static_cast<const VkBufferView*>(at);
      VkWriteDescriptorSetAccelerationStructureKHR structures = {
          VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR};
      if (entry.descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR) {
        structures.accelerationStructureCount = 1;
        structures.pAccelerationStructures = static_cast<const VkAccelerationStructureKHR*>(at);
        write.pNext = &structures;
      }
      visit(write);
    }
  }
};

inline void UseDescriptorPoolAlone(VkCall& call, UsesOfCall& uses, VkDescriptorPool pool) {
  UseObjectAlone<DescriptorPoolState>(call, uses, ObjectKind::kDescriptorPool, HandleOf(pool));
}
DescriptorSetState* SetOf(VkCall& call, VkDescriptorSet set, const char* argument);
// Returns false, after adding a finding, if the data for an update template is NULL.
bool HasTemplateData(VkCall& call, const void* data);
// A cache of sets by handle, which were bound or updated. Thread-safe: an entry is an object in any
// state, since the memory of objects is never unmapped.
class RecentSets {
 public:
  // nullptr: not cached. The object may have another handle.
  [[gnu::always_inline]] PlainObject* Find(uintptr_t handle) const {
    return sets_[IndexOf(handle)].load(std::memory_order_acquire);
  }
  void Keep(PlainObject* set) { sets_[IndexOf(set->handle)].store(set, std::memory_order_release); }

 private:
  static size_t IndexOf(uintptr_t handle) { return (handle >> 3) * 0x9e3779b97f4a7c15u >> 54; }
  std::atomic<PlainObject*> sets_[1 << 10] = {};
};
extern constinit RecentSets recent_sets;
// The state of a live set with a known layout, and its object in `*object`; otherwise nullptr.
// Reports nothing.
[[gnu::always_inline]] inline DescriptorSetState* FindSet(Tracker& tracker, VkDescriptorSet set,
                                                          PlainObject** object) {
  const uintptr_t handle = HandleOf(set);
  PlainObject* found = recent_sets.Find(handle);
  if (found == nullptr || found->handle != handle || found->kind != ObjectKind::kDescriptorSet ||
      !found->live()) [[unlikely]] {
    found = static_cast<PlainObject*>(
        tracker.objects().Find(Api::kVulkan, ObjectKind::kDescriptorSet, handle));
    if (found == nullptr || !found->live()) return nullptr;
    recent_sets.Keep(found);
  }
  *object = found;
  auto* state = static_cast<DescriptorSetState*>((*object)->part);
  return state != nullptr && state->layout != nullptr ? state : nullptr;
}
// Whether all resources that the set names are live. Checked again only if an object was destroyed
// since the last check. False also if the tracker no longer keeps the resource of a descriptor.
[[gnu::noinline]] bool CheckNamesLive(DescriptorSetState& set, uint32_t released);
inline bool NamesLive(DescriptorSetState& set) {
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  return set.live_at == released || CheckNamesLive(set, released);
}
// Computes the mark of a set (DescriptorSetState), stores it in the object and returns it.
[[gnu::noinline]] uint32_t MarkPlain(PlainObject& set);
// nullptr for an unknown layout.
std::shared_ptr<const SetLayout> LayoutOf(VkCall& call, VkDescriptorSetLayout layout);

// Writes descriptors as vkUpdateDescriptorSets does, starting at the binding. `descriptors`: all
// descriptors of a set with the binding's layout.
void WriteDescriptors(VkCall& call, const LayoutBinding& binding, const VkWriteDescriptorSet& write,
                      std::vector<Descriptor>* descriptors);
// Writes descriptors as vkUpdateDescriptorSetWithTemplate does, after it checked them. `set`:
// nullptr for pushed descriptors. `descriptors`: all descriptors of a set with the layout.
void WriteByTemplate(VkCall& call, const DescriptorTemplateState& update, const void* data,
                     const Object* set, const SetLayout& layout,
                     std::vector<Descriptor>* descriptors);

struct CreateDescriptorSetLayout {
  BeforeOf<PFN_vkCreateDescriptorSetLayout> Before;
  AfterOf<PFN_vkCreateDescriptorSetLayout> After;
};
using DestroyDescriptorSetLayout =
    DestroyPlain<ObjectKind::kDescriptorSetLayout, VkDescriptorSetLayout>;
struct CreateDescriptorPool {
  AfterOf<PFN_vkCreateDescriptorPool> After;
};
struct DestroyDescriptorPool {
  BeforeOf<PFN_vkDestroyDescriptorPool> Before;
};
struct ResetDescriptorPool {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkDescriptorPool pool,
                       VkDescriptorPoolResetFlags) {
    UseDescriptorPoolAlone(call, uses, pool);
  }
  BeforeOf<PFN_vkResetDescriptorPool> Before;
};
struct AllocateDescriptorSets {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice,
                       const VkDescriptorSetAllocateInfo* info, VkDescriptorSet*) {
    UseDescriptorPoolAlone(call, uses, info->descriptorPool);
  }
  BeforeOf<PFN_vkAllocateDescriptorSets> Before;
  AfterOf<PFN_vkAllocateDescriptorSets> After;
};
struct FreeDescriptorSets {
  static void UseAlone(VkCall& call, UsesOfCall& uses, VkDevice, VkDescriptorPool pool, uint32_t,
                       const VkDescriptorSet*) {
    UseDescriptorPoolAlone(call, uses, pool);
  }
  BeforeOf<PFN_vkFreeDescriptorSets> Before;
};
// The fast path for writes of buffer descriptors. Returns false if a descriptor of another type is
// written or a check is needed; the slow path repeats the writes that were made by then.
[[gnu::noinline]] bool WritePlainBuffers(Tracker& tracker, const Device& device, uint32_t count,
                                         const VkWriteDescriptorSet* writes);
struct UpdateDescriptorSets {
  static bool TryFast(FastCall& call, VkDevice, uint32_t write_count,
                      const VkWriteDescriptorSet* writes, uint32_t copy_count,
                      const VkCopyDescriptorSet*) {
    return copy_count == 0 && !HasParked(*call.scope) &&
           WritePlainBuffers(*call.tracker, static_cast<const Device&>(*call.scope), write_count,
                             writes);
  }
  BeforeOf<PFN_vkUpdateDescriptorSets> Before;
};
struct CreateDescriptorUpdateTemplate {
  AfterOf<PFN_vkCreateDescriptorUpdateTemplate> After;
};
using DestroyDescriptorUpdateTemplate =
    DestroyPlain<ObjectKind::kDescriptorTemplate, VkDescriptorUpdateTemplate>;
struct UpdateDescriptorSetWithTemplate {
  BeforeOf<PFN_vkUpdateDescriptorSetWithTemplate> Before;
};

}  // namespace gpusan::vulkan
