// Descriptor sets: the resource that each of their descriptors names.
#include "hooks/vulkan/memory/descriptors.h"

#include <algorithm>
#include <initializer_list>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/acceleration_structures.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/descriptor_checks.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

constinit RecentSets recent_sets;

bool CheckNamesLive(DescriptorSetState& set, uint32_t released) {
  for (const Descriptor& descriptor : set.descriptors) {
    if (descriptor.resource.object == nullptr) continue;
    const Resource* resource = descriptor.resource.get();
    if (resource == nullptr || !resource->live()) return false;
  }
  set.unwritten = std::ranges::any_of(set.layout->bindings, [&](const LayoutBinding& binding) {
    const absl::Span<const Descriptor> all = set.descriptors;
    return binding.IsWrittenEarly() && binding.first < all.size() &&
           !std::ranges::all_of(all.subspan(binding.first, binding.count), &Descriptor::written);
  });
  set.live_at = released;
  return true;
}

uint32_t MarkPlain(PlainObject& object) {
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  auto* set = static_cast<DescriptorSetState*>(object.part);
  const bool plain = set != nullptr && set->layout != nullptr && !set->layout->early &&
                     !set->dynamic && NamesLive(*set);
  object.mark.store(plain ? released : 0, std::memory_order_relaxed);
  return plain ? released : 0;
}

namespace {

// A write or a copy does not change an immutable sampler (Vulkan 1.3 §14.2.1), and ignores the
// sampler that it names.
void SetImmutable(const WeakRef<PlainObject>& sampler, Descriptor* descriptor) {
  descriptor->sampler = sampler;
  descriptor->seen_through |= sampler.object != nullptr;
}

// Writes the resource that a write names to the descriptor in place. Precondition: it is empty.
void Describe(VkCall& call, VkDescriptorType type, const VkDescriptorImageInfo& info,
              Descriptor* descriptor) {
  if (HasSampler(type) && info.sampler != VK_NULL_HANDLE) {
    auto* sampler = static_cast<PlainObject*>(
        call.tracker().objects().Find(Api::kVulkan, ObjectKind::kSampler, HandleOf(info.sampler)));
    if (sampler != nullptr && sampler->live()) descriptor->sampler = WeakRef<PlainObject>(sampler);
    descriptor->seen_through = true;
  }
  if (type == VK_DESCRIPTOR_TYPE_SAMPLER) return;
  if (info.imageView == VK_NULL_HANDLE) [[unlikely]]
    return CheckNullDescriptor(call, type);
  auto* view = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kImageView, HandleOf(info.imageView), "imageView"));
  const auto* state = DescriptionOf<ImageViewState>(view);
  if (state == nullptr) return;
  descriptor->view = WeakRef<PlainObject>(view);
  descriptor->seen_through = true;
  descriptor->resource = state->image;
  CheckUsage(call, type, state->image.get(), state->usage);
  CheckSwizzle(call, type, *state);
  CheckImageDescriptor(call, type, *state, info.imageLayout);
  descriptor->extent = state->part;
  descriptor->layout = info.imageLayout;
}

// The fast path for a live buffer of the device that contains the range. Returns false, without
// side effects, for all other descriptors.
// `needed`: bits of native_flags, the usage flag that the buffer needs and kHasMemory.
[[gnu::always_inline]] inline bool DescribePlainBuffer(Tracker& tracker, const Device& device,
                                                       uint64_t needed,
                                                       const Device::BufferLimits& limits,
                                                       const VkDescriptorBufferInfo& info,
                                                       uint64_t now, Descriptor* descriptor) {
  const uintptr_t handle = HandleOf(info.buffer);
  Object* object = FindRecent<ObjectKind::kBuffer>(handle);
  if (object == nullptr) {
    object = tracker.objects().Find(Api::kVulkan, ObjectKind::kBuffer, handle);
    if (object == nullptr || !object->live()) [[unlikely]]
      return false;
    SetRecent<ObjectKind::kBuffer>(handle, object);
  }
  auto* buffer = static_cast<Resource*>(object);
  const uint64_t left = buffer->bytes - std::min(buffer->bytes, info.offset);
  const bool whole = info.range == VK_WHOLE_SIZE;
  const uint64_t range = whole ? left : info.range;
  // The first condition also holds for a range of 0.
  if (range - 1 >= left || buffer->context != device.object || descriptor->seen_through ||
      (buffer->native_flags & needed) != needed || (info.offset & (limits.alignment - 1)) != 0 ||
      range > limits.most) [[unlikely]]
    return false;
  descriptor->written = true;
  descriptor->whole = whole;
  descriptor->written_at = now;
  descriptor->resource = WeakRef<Resource>(buffer);
  descriptor->extent.region.offset = info.offset;
  descriptor->extent.region.width = range;
  return true;
}

// The same for any buffer; the descriptor need not be empty.
void DescribeBuffer(VkCall& call, VkDescriptorType type, const VkDescriptorBufferInfo& info,
                    Descriptor* descriptor) {
  Resource* buffer = info.buffer != VK_NULL_HANDLE
                         ? UseBuffer(call, info.buffer, "pBufferInfo[].buffer")
                         : nullptr;
  // Empty and buffer descriptors differ in these fields only.
  if (descriptor->seen_through || buffer == nullptr) [[unlikely]] {
    descriptor->Clear();
    descriptor->written = true;
    if (info.buffer == VK_NULL_HANDLE) CheckNullBuffer(call, type, info);
    if (buffer == nullptr) return;
  }
  descriptor->written = true;
  CheckBoundOnce(call, *buffer, "pBufferInfo[].buffer");
  CheckUsage(call, type, buffer, ScopedOf(*buffer).usage);
  descriptor->resource = WeakRef<Resource>(buffer);
  const uint64_t left = buffer->bytes - std::min(buffer->bytes, info.offset);
  const bool whole = info.range == VK_WHOLE_SIZE;
  Region& region = descriptor->extent.region;
  region.offset = info.offset;
  region.width = whole ? left : info.range;
  descriptor->whole = whole;
  if (!CheckBytes(call, *buffer, info)) [[unlikely]]
    return;
  CheckLimits(call, type, *buffer, region);
  if (whole || info.range <= left) [[likely]]
    return;
  ReportSync(call, *buffer, rules::SyncStateUse::Fault::kDescriptorEnd,
             absl::StrCat(info.range, " B from byte ", info.offset));
}

void Describe(VkCall& call, VkDescriptorType type, VkBufferView handle, Descriptor* descriptor) {
  if (handle == VK_NULL_HANDLE) return CheckNullDescriptor(call, type);
  auto* view = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kBufferView, HandleOf(handle), "pTexelBufferView[]"));
  const auto* state = DescriptionOf<BufferViewState>(view);
  if (state == nullptr) return;
  descriptor->view = WeakRef<PlainObject>(view);
  descriptor->seen_through = true;
  descriptor->resource = state->buffer;
  if (Resource* buffer = state->buffer.get(); buffer != nullptr && buffer->live())
    CheckUsage(call, type, buffer, ScopedOf(*buffer).usage);
  descriptor->extent = state->region;
}

void Describe(VkCall& call, VkAccelerationStructureKHR handle, Descriptor* descriptor) {
  if (handle == VK_NULL_HANDLE)
    return CheckNullDescriptor(call, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR);
  auto* structure = static_cast<PlainObject*>(UseHandle(
      call, ObjectKind::kAccelerationStructure, HandleOf(handle), "pAccelerationStructures[]"));
  const auto* state = DescriptionOf<AccelerationStructureState>(structure);
  if (state == nullptr) return;
  descriptor->view = WeakRef<PlainObject>(structure);
  descriptor->seen_through = true;
  descriptor->resource = state->buffer;
  descriptor->extent = state->region;
}

// The structures that a write names; nullptr: none.
const VkAccelerationStructureKHR* StructuresOf(const VkWriteDescriptorSet& write) {
  const auto* structures = FindInChain<VkWriteDescriptorSetAccelerationStructureKHR>(
      write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR);
  return structures != nullptr && structures->accelerationStructureCount >= write.descriptorCount
             ? structures->pAccelerationStructures
             : nullptr;
}

// Returns false if the array that the type of the write needs is NULL; the finding is added.
bool HasInfos(VkCall& call, const VkWriteDescriptorSet& write) {
  const VkDescriptorType type = write.descriptorType;
  const char* name = nullptr;
  const char* vuid = "";
  bool required = true;
  if (IsBuffer(type) && write.pBufferInfo == nullptr) {
    name = "pBufferInfo";
    vuid = "VUID-VkWriteDescriptorSet-descriptorType-00324";
  } else if (IsTexelBuffer(type) && write.pTexelBufferView == nullptr) {
    name = "pTexelBufferView";
    vuid = "VUID-VkWriteDescriptorSet-descriptorType-02994";
  } else if ((IsImage(type) || HasSampler(type)) && write.pImageInfo == nullptr) {
    name = "pImageInfo";
    vuid = "VUID-vkUpdateDescriptorSets-pDescriptorWrites-06493";
    // Pushed descriptors may leave samplers to the layout.
    required = !HasSampler(type) || write.dstSet != VK_NULL_HANDLE;
  }
  if (name == nullptr) [[likely]]
    return true;
  if (required) rules::OnNullArgument({"VkWriteDescriptorSet", name, false, vuid}, call);
  return false;
}

// Checks that no pending work uses a set that is about to be updated or freed.
void CheckNotPending(VkCall& call, DescriptorSetState& set, rules::PendingUse::Act act,
                     const char* vuid) {
  vulkan::CheckNotPending(call, *set.object, set.used, set.held_lock, act, vuid);
}

// The layout that the set was allocated with, if it is destroyed; nullptr otherwise.
const PlainObject* DestroyedLayout(const DescriptorSetState& set) {
  const PlainObject* layout = set.layout_object.get();
  return layout == nullptr || layout->live() ? nullptr : layout;
}

// Adds a finding if the layout of a set that vkUpdateDescriptorSets changes is destroyed: the
// update may access the layout (Vulkan 1.3 §3.3.1).
void CheckLayoutLives(VkCall& call, const DescriptorSetState& set, const char* argument) {
  if (const PlainObject* layout = DestroyedLayout(set); layout != nullptr) [[unlikely]]
    rules::OnHandleUse({layout, MaskOf(layout->kind), argument}, call);
}

// The binding of a set that is about to be updated; nullptr: the set lacks it. Bindings that may be
// updated after they are bound are not checked for pending use.
const LayoutBinding* UseToChange(VkCall& call, DescriptorSetState& set, uint32_t binding) {
  set.Changes();
  const LayoutBinding* found = set.layout->Find(binding);
  if (found != nullptr && !found->update_after_bind) {
    CheckNotPending(call, set, rules::PendingUse::Act::kUpdate,
                    "VUID-vkUpdateDescriptorSets-None-03047");
  }
  return found;
}

void Release(VkCall& call, VkDescriptorSet handle, const char* vuid) {
  Object* object =
      UseForDestroy(call, ObjectKind::kDescriptorSet, HandleOf(handle), "pDescriptorSets[]");
  if (object == nullptr) return;
  CheckNotPending(call, static_cast<DescriptorSetState&>(*static_cast<PlainObject*>(object)->part),
                  rules::PendingUse::Act::kDestroy, vuid);
  Destroy(call, object);
}

void ReleaseAll(VkCall& call, DescriptorPoolState& pool, const char* vuid) {
  std::vector<VkDescriptorSet> sets;
  {
    std::lock_guard lock(pool.lock);
    sets.swap(pool.sets);
  }
  for (VkDescriptorSet set : sets) Release(call, set, vuid);
}

}  // namespace

void DescriptorSetState::Reset() {
  layout.reset();
  descriptors.clear();
  dynamic = after_bind = false;
  live_at = 0;
  layout_object = WeakRef<PlainObject>();
  used.Clear();
}

DescriptorSetState* SetOf(VkCall& call, VkDescriptorSet set, const char* argument) {
  auto* object = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kDescriptorSet, HandleOf(set), argument));
  return object != nullptr ? static_cast<DescriptorSetState*>(object->part) : nullptr;
}

bool HasTemplateData(VkCall& call, const void* data) {
  if (data != nullptr) [[likely]]
    return true;
  rules::OnNullArgument(
      {call.info().name, "pData", false, "VUID-vkUpdateDescriptorSetWithTemplate-pData-01685"},
      call);
  return false;
}

std::shared_ptr<const SetLayout> LayoutOf(VkCall& call, VkDescriptorSetLayout handle) {
  const auto* state =
      FindPart<SetLayoutState>(call, ObjectKind::kDescriptorSetLayout, HandleOf(handle));
  return state != nullptr ? state->layout : nullptr;
}

void WriteDescriptors(VkCall& call, const LayoutBinding& binding, const VkWriteDescriptorSet& write,
                      std::vector<Descriptor>* descriptors) {
  // Descriptors beyond a binding continue in the next one (Vulkan 1.3 §14.2.4).
  size_t at = size_t{binding.first} + write.dstArrayElement;
  if (write.descriptorCount == 0 || !HasInfos(call, write)) return;
  const uint64_t now = ended_recordings.load(std::memory_order_relaxed);
  if (IsBuffer(write.descriptorType)) [[likely]] {
    for (uint32_t i = 0; i < write.descriptorCount && at < descriptors->size(); ++i, ++at) {
      DescribeBuffer(call, write.descriptorType, write.pBufferInfo[i], &(*descriptors)[at]);
      (*descriptors)[at].written_at = now;
    }
    return;
  }
  const VkAccelerationStructureKHR* structures =
      write.descriptorType == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR ? StructuresOf(write)
                                                                            : nullptr;
  for (uint32_t i = 0; i < write.descriptorCount && at < descriptors->size(); ++i, ++at) {
    Descriptor& descriptor = (*descriptors)[at];
    descriptor.written_at = now;
    if (IsImage(write.descriptorType) || HasSampler(write.descriptorType)) {
      const WeakRef<PlainObject> sampler = descriptor.sampler;
      descriptor.Clear();
      Describe(call, write.descriptorType, write.pImageInfo[i], &descriptor);
      if (binding.immutable) [[unlikely]]
        SetImmutable(sampler, &descriptor);
      descriptor.written = true;
    } else if (IsTexelBuffer(write.descriptorType)) {
      descriptor.Clear();
      Describe(call, write.descriptorType, write.pTexelBufferView[i], &descriptor);
      descriptor.written = true;
    } else if (structures != nullptr) {
      descriptor.Clear();
      Describe(call, structures[i], &descriptor);
      descriptor.written = true;
    } else {
      descriptor.written = true;
      // The count of an inline uniform block is in bytes.
      if (write.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) break;
    }
  }
}

void WriteByTemplate(VkCall& call, const DescriptorTemplateState& update, const void* data,
                     const Object* set, const SetLayout& layout,
                     std::vector<Descriptor>* descriptors) {
  for (const VkDescriptorUpdateTemplateEntry& entry : update.entries) {
    const LayoutBinding* binding = layout.Find(entry.dstBinding);
    bool fits = CheckWrite(call, set, layout, binding, DescriptorTemplateState::WriteOf(entry),
                           descriptors->size(), true);
    if (binding == nullptr) continue;
    DescriptorTemplateState::ForEachWrite(entry, data, [&](const VkWriteDescriptorSet& write) {
      fits = fits && CheckSampler(call, set, *binding, write);
      WriteDescriptors(call, *binding, write, descriptors);
    });
  }
}

void CreateDescriptorPool::After(VkCall& call, VkResult code, VkDevice,
                                 const VkDescriptorPoolCreateInfo* info,
                                 const VkAllocationCallbacks*, VkDescriptorPool* pool) {
  if (code != VK_SUCCESS) return;
  auto* state =
      KeepDescribed<DescriptorPoolState>(call, ObjectKind::kDescriptorPool, HandleOf(*pool));
  if (state == nullptr) return;
  state->frees_sets = (info->flags & VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT) != 0;
  state->after_bind = (info->flags & VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT) != 0;
}

void DestroyDescriptorPool::Before(VkCall& call, VkDevice, VkDescriptorPool handle,
                                   const VkAllocationCallbacks*) {
  Object* object =
      UseForDestroy(call, ObjectKind::kDescriptorPool, HandleOf(handle), "descriptorPool");
  if (object == nullptr) return;
  ReleaseAll(call, static_cast<DescriptorPoolState&>(*static_cast<PlainObject*>(object)->part),
             "VUID-vkDestroyDescriptorPool-descriptorPool-00303");
  Destroy(call, object);
}

void ResetDescriptorPool::Before(VkCall& call, VkDevice, VkDescriptorPool handle,
                                 VkDescriptorPoolResetFlags) {
  auto* pool = FindPart<DescriptorPoolState>(call, ObjectKind::kDescriptorPool, HandleOf(handle));
  if (pool != nullptr) ReleaseAll(call, *pool, "VUID-vkResetDescriptorPool-descriptorPool-00313");
}

void AllocateDescriptorSets::Before(VkCall& call, VkDevice, const VkDescriptorSetAllocateInfo* info,
                                    VkDescriptorSet*) {
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i)
    UseHandle(call, ObjectKind::kDescriptorSetLayout, HandleOf(info->pSetLayouts[i]),
              "pSetLayouts[]");
}

void AllocateDescriptorSets::After(VkCall& call, VkResult code, VkDevice,
                                   const VkDescriptorSetAllocateInfo* info, VkDescriptorSet* sets) {
  if (code != VK_SUCCESS) return;
  auto* pool = FindPart<DescriptorPoolState>(call, ObjectKind::kDescriptorPool,
                                             HandleOf(info->descriptorPool));
  for (uint32_t i = 0; i < info->descriptorSetCount; ++i) {
    PlainObject* object = call.tracker().objects().NewPlain(
        call, ObjectKind::kDescriptorSet, HandleOf(sets[i]), call.device().object);
    object->MarkOwned();  // destroyed with its pool
    DescriptorSetState* state = DescriptorSetState::New();
    state->object = object;
    state->layout = LayoutOf(call, info->pSetLayouts[i]);
    state->after_bind = pool != nullptr && pool->after_bind.load(std::memory_order_relaxed);
    state->layout_object =
        WeakRef<PlainObject>(static_cast<PlainObject*>(call.tracker().objects().Find(
            Api::kVulkan, ObjectKind::kDescriptorSetLayout, HandleOf(info->pSetLayouts[i]))));
    if (state->layout != nullptr) {
      state->descriptors.resize(state->layout->descriptors);
      state->dynamic = state->layout->dynamic;
      const auto& samplers = state->layout->immutable_samplers;
      for (size_t j = 0; j < samplers.size(); ++j)
        SetImmutable(samplers[j], &state->descriptors[j]);
    }
    object->part = state;
  }
  if (pool == nullptr) return;
  std::lock_guard lock(pool->lock);
  pool->sets.insert(pool->sets.end(), sets, sets + info->descriptorSetCount);
}

void FreeDescriptorSets::Before(VkCall& call, VkDevice, VkDescriptorPool handle, uint32_t count,
                                const VkDescriptorSet* sets) {
  if (sets == nullptr && count != 0) [[unlikely]] {
    return rules::OnNullArgument({"vkFreeDescriptorSets", "pDescriptorSets", false,
                                  "VUID-vkFreeDescriptorSets-pDescriptorSets-00310"},
                                 call);
  }
  auto* pool = FindPart<DescriptorPoolState>(call, ObjectKind::kDescriptorPool, HandleOf(handle));
  if (pool != nullptr && !pool->frees_sets && count != 0) [[unlikely]] {
    ReportSync(call, ObjectKind::kDescriptorPool, HandleOf(handle),
               rules::SyncStateUse::Fault::kFreesFromPoolOfOne);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (sets[i] == VK_NULL_HANDLE) continue;
    if (pool != nullptr) {
      std::lock_guard lock(pool->lock);
      const auto found = std::find(pool->sets.begin(), pool->sets.end(), sets[i]);
      if (found != pool->sets.end()) {
        *found = pool->sets.back();
        pool->sets.pop_back();
      }
    }
    Release(call, sets[i], "VUID-vkFreeDescriptorSets-pDescriptorSets-00309");
  }
}

bool WritePlainBuffers(Tracker& tracker, const Device& device, uint32_t count,
                       const VkWriteDescriptorSet* writes) {
  if (writes == nullptr) [[unlikely]]
    return count == 0;
  const uint64_t now = ended_recordings.load(std::memory_order_relaxed);
  DescriptorSetState* set = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    const VkWriteDescriptorSet& write = writes[i];
    if (i == 0 || write.dstSet != writes[i - 1].dstSet) {
      PlainObject* object;
      set = FindSet(tracker, write.dstSet, &object);
      if (set == nullptr || set->used.MayBePending(tracker.ordering().host()) ||
          DestroyedLayout(*set) != nullptr) [[unlikely]]
        return false;
      set->Changes();
    }
    const LayoutBinding* binding = set->layout->Find(write.dstBinding);
    if (binding == nullptr || binding->type != write.descriptorType ||
        !IsBuffer(write.descriptorType) || write.pBufferInfo == nullptr) [[unlikely]]
      return false;
    const size_t at = size_t{binding->first} + write.dstArrayElement;
    // A write that continues in the next binding needs a check.
    if (write.dstArrayElement > binding->count ||
        write.descriptorCount > binding->count - write.dstArrayElement) [[unlikely]]
      return false;
    Descriptor* descriptor = set->descriptors.data() + at;
    const bool uniform = IsUniform(write.descriptorType);
    const Device::BufferLimits& limits = uniform ? device.uniform : device.storage;
    const uint64_t needed = kHasMemory | (uniform ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                                  : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    for (uint32_t j = 0; j < write.descriptorCount; ++j, ++descriptor) {
      if (!DescribePlainBuffer(tracker, device, needed, limits, write.pBufferInfo[j], now,
                               descriptor)) [[unlikely]]
        return false;
    }
  }
  return true;
}

void UpdateDescriptorSets::Before(VkCall& call, VkDevice, uint32_t write_count,
                                  const VkWriteDescriptorSet* writes, uint32_t copy_count,
                                  const VkCopyDescriptorSet* copies) {
  DescriptorSetState* set = nullptr;
  for (uint32_t i = 0; i < write_count; ++i) {
    if (i == 0 || writes[i].dstSet != writes[i - 1].dstSet) {
      set = SetOf(call, writes[i].dstSet, "pDescriptorWrites[].dstSet");
      if (set != nullptr) CheckLayoutLives(call, *set, "the layout of pDescriptorWrites[].dstSet");
    }
    if (set == nullptr || set->layout == nullptr) continue;
    const LayoutBinding* binding = UseToChange(call, *set, writes[i].dstBinding);
    CheckWrite(call, set->object, *set->layout, binding, writes[i], set->descriptors.size());
    if (binding == nullptr) continue;
    CheckSampler(call, set->object, *binding, writes[i]);
    WriteDescriptors(call, *binding, writes[i], &set->descriptors);
  }
  for (uint32_t i = 0; i < copy_count; ++i) {
    const VkCopyDescriptorSet& copy = copies[i];
    DescriptorSetState* from = SetOf(call, copy.srcSet, "pDescriptorCopies[].srcSet");
    DescriptorSetState* to = SetOf(call, copy.dstSet, "pDescriptorCopies[].dstSet");
    if (from == nullptr || to == nullptr || from->layout == nullptr || to->layout == nullptr)
      continue;
    CheckLayoutLives(call, *to, "the layout of pDescriptorCopies[].dstSet");
    const LayoutBinding* source = from->layout->Find(copy.srcBinding);
    const LayoutBinding* target = UseToChange(call, *to, copy.dstBinding);
    CheckCopy(call, copy, *from, source, *to, target);
    if (source == nullptr || target == nullptr) continue;
    // The count of an inline uniform block is in bytes.
    if (source->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      if (target->first < to->descriptors.size()) to->descriptors[target->first].written = true;
      continue;
    }
    for (uint32_t j = 0; j < copy.descriptorCount; ++j) {
      const size_t at = source->first + copy.srcArrayElement + j;
      const size_t put = target->first + copy.dstArrayElement + j;
      if (at >= from->descriptors.size() || put >= to->descriptors.size()) continue;
      const WeakRef<PlainObject> sampler = to->descriptors[put].sampler;
      to->descriptors[put] = from->descriptors[at];
      if (target->immutable) [[unlikely]]
        SetImmutable(sampler, &to->descriptors[put]);
      to->descriptors[put].written_at = ended_recordings.load(std::memory_order_relaxed);
    }
  }
}

void CreateDescriptorUpdateTemplate::After(VkCall& call, VkResult code, VkDevice,
                                           const VkDescriptorUpdateTemplateCreateInfo* info,
                                           const VkAllocationCallbacks*,
                                           VkDescriptorUpdateTemplate* made) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepDescribed<DescriptorTemplateState>(call, ObjectKind::kDescriptorTemplate,
                                                       HandleOf(*made));
  if (state == nullptr) return;
  state->point = info->pipelineBindPoint;
  state->entries.assign(info->pDescriptorUpdateEntries,
                        info->pDescriptorUpdateEntries + info->descriptorUpdateEntryCount);
}

void UpdateDescriptorSetWithTemplate::Before(VkCall& call, VkDevice, VkDescriptorSet handle,
                                             VkDescriptorUpdateTemplate update, const void* data) {
  DescriptorSetState* set = SetOf(call, handle, "descriptorSet");
  const auto* known = UsePart<DescriptorTemplateState>(
      call, ObjectKind::kDescriptorTemplate, HandleOf(update), "descriptorUpdateTemplate");
  if (set == nullptr || set->layout == nullptr || !HasTemplateData(call, data)) return;
  if (known == nullptr) [[unlikely]] {
    // Any descriptor may name any resource now.
    set->Changes();
    for (Descriptor& descriptor : set->descriptors) {
      descriptor.Clear();
      descriptor.written = true;
    }
    return;
  }
  for (const VkDescriptorUpdateTemplateEntry& entry : known->entries)
    UseToChange(call, *set, entry.dstBinding);
  WriteByTemplate(call, *known, data, set->object, *set->layout, &set->descriptors);
}

}  // namespace gpusan::vulkan
