// Commands that bind pipelines and descriptors, and dispatches.
#include "hooks/vulkan/commands/dispatches.h"

#include <array>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/commands/address_accesses.h"
#include "hooks/vulkan/commands/shader_accesses.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/descriptor_checks.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/set_checks.h"
#include "hooks/vulkan/transfers/address_transfers.h"

namespace gpusan::vulkan {

void CmdBindPipeline::Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                             VkPipeline handle) {
  auto* pipeline = static_cast<PlainObject*>(
      UseHandle(call, ObjectKind::kPipeline, HandleOf(handle), "pipeline"));
  CommandBufferState* state = RecordedStateOf(call, commands);
  if (state == nullptr) return;
  if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) CheckNoFeedback(call, *state, "02323");
  BindPoint& bound = state->bindings.At(point);
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  bound.pipeline = WeakRef<PlainObject>(pipeline);
  const PipelineState* known =
      pipeline != nullptr && pipeline->live() ? &PipelineOf(*pipeline) : nullptr;
  bound.plain_at = known != nullptr && !known->incomplete ? released : 0;
  bound.needed_sets = known != nullptr ? known->needed_sets : 0;
  if ((bound.needed_sets & kPushConstants) != 0) state->bindings.FindUnpushed(&bound);
  const DispatchRanges* const ranges = known != nullptr ? known->ranges.get() : nullptr;
  bound.ranged = ranges != nullptr || (known != nullptr && known->stores_texels);
  bound.reads_pushes = ranges != nullptr && ranges->reads_pushes();
  bound.by_address =
      (ranges != nullptr && !ranges->addresses().empty()) ||
      (known != nullptr && (known->vertex_ranges != nullptr || known->fragment_ranges != nullptr));
  state->bindings.push_constants_new = true;
  bound.occupied = true;
  if (point != VK_PIPELINE_BIND_POINT_GRAPHICS) return;
  state->bindings.shader_stages = 0;
  if (known != nullptr) state->bindings.set_state &= ~known->draw_state.fixed;
}

namespace {

// A set that a command buffer may bind without a check while `released` objects are released;
// nullptr if there is none with the handle.
[[gnu::noinline]] PlainObject* FindUncheckedSet(const Tracker* tracker, uintptr_t handle,
                                                uint32_t released) {
  if (tracker == nullptr) return nullptr;
  auto* set = static_cast<PlainObject*>(
      tracker->objects().Find(Api::kVulkan, ObjectKind::kDescriptorSet, handle));
  if (set == nullptr || !set->live() ||
      (set->mark.load(std::memory_order_relaxed) != released && MarkPlain(*set) != released))
    return nullptr;
  recent_sets.Keep(set);
  return set;
}

}  // namespace

Scope* BindSetsFast(const Tracker* tracker, VkCommandBuffer commands, VkPipelineBindPoint point,
                    uint32_t first, uint32_t count, const VkDescriptorSet* sets) {
  CommandBufferState* state = FastState(commands);
  if (state == nullptr) [[unlikely]]
    return nullptr;
  BindPoint& bound = state->bindings.At(point);
  if (bound.sets.size() < size_t{first} + count || sets == nullptr) [[unlikely]]
    return nullptr;
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  BoundSet* slot = bound.sets.data() + first;
  for (const VkDescriptorSet* end = sets + count; sets != end; ++sets, ++slot) {
    const uintptr_t handle = HandleOf(*sets);
    PlainObject* set = recent_sets.Find(handle);
    // A set whose mark is current is live.
    if (set == nullptr || set->handle != handle ||
        set->mark.load(std::memory_order_relaxed) != released) [[unlikely]] {
      set = FindUncheckedSet(tracker, handle, released);
      if (set == nullptr) return nullptr;
    }
    slot->Bind(set, released);
  }
  --state->fast_left;
  return state->scope;
}

namespace {

// Reports a dynamic offset that is misaligned, or moves a descriptor past the end of its buffer.
void CheckDynamicOffset(VkCall& call, const DescriptorSetState& set, const LayoutBinding& binding,
                        uint32_t index, uint32_t offset) {
  const size_t at = size_t{binding.first} + index;
  if (offset == 0) return;
  const Descriptor* descriptor =
      at < set.descriptors.size() && !binding.update_after_bind ? &set.descriptors[at] : nullptr;
  Resource* buffer = descriptor != nullptr ? descriptor->resource.get() : nullptr;
  if (buffer != nullptr && !buffer->live()) buffer = nullptr;
  const uint64_t alignment = LimitsOf(call.device(), binding.type).alignment;
  if (offset % alignment != 0) [[unlikely]] {
    const bool uniform = binding.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    const Object& named = buffer != nullptr ? static_cast<const Object&>(*buffer) : *set.object;
    ReportSync(call, named, rules::SyncStateUse::Fault::kDescriptorAlignment,
               absl::StrCat("the dynamic offset ", offset, ", which is not a multiple of ",
                            alignment, ","),
               uniform ? "vkCmdBindDescriptorSets-pDynamicOffsets-01971"
                       : "vkCmdBindDescriptorSets-pDynamicOffsets-01972");
  }
  if (buffer == nullptr) return;
  const uint64_t end = descriptor->extent.region.end() + offset;
  if (end <= buffer->bytes) [[likely]]
    return;
  rules::DescriptorUse use;
  use.fault = rules::DescriptorUse::Fault::kDynamicRange;
  use.set = set.object;
  use.resource = buffer;
  use.binding = binding.binding;
  use.end = end;
  use.vuid = descriptor->whole ? "VUID-vkCmdBindDescriptorSets-pDescriptorSets-06715"
                               : "VUID-vkCmdBindDescriptorSets-pDescriptorSets-01979";
  rules::OnDescriptorUse(use, call);
}

// Reports a set whose layout surely has another definition than that of its number in the layout.
void CheckSetLayout(VkCall& call, VkPipelineLayout handle, const PipelineLayoutState& layout,
                    const DescriptorSetState& set, uint32_t number) {
  if (number >= layout.sets.size() || layout.sets[number] == nullptr) return;
  const uint64_t planned = layout.sets[number]->identity, bound = set.layout->identity;
  if (planned == bound || planned == 0 || bound == 0) [[likely]]
    return;
  rules::DescriptorUse use;
  use.fault = rules::DescriptorUse::Fault::kIncompatible;
  use.pipeline =
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPipelineLayout, HandleOf(handle));
  use.set = set.object;
  use.number = number;
  use.vuid = "VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358";
  rules::OnDescriptorUse(use, call);
}

// Reports set numbers that the layout lacks.
void CheckNumbers(VkCall& call, VkPipelineLayout handle, const PipelineLayoutState& layout,
                  uint32_t first, uint32_t count) {
  if (count == 0 || uint64_t{first} + count <= layout.sets.size()) [[likely]]
    return;
  if (const Object* object = call.tracker().objects().Find(
          Api::kVulkan, ObjectKind::kPipelineLayout, HandleOf(handle)))
    ReportSync(call, *object, rules::SyncStateUse::Fault::kSetNumbers,
               absl::StrCat(uint64_t{first} + count - 1), absl::StrCat(layout.sets.size()));
}

// Marks the sets below `first` whose layout is not compatible with the layout with which `first` is
// bound (Vulkan 1.3 §14.2.2). The layout of a set that the fast path bound is unknown.
void Disturb(const PipelineLayoutState& layout, uint32_t first, BindPoint* bound) {
  for (uint32_t i = 0; i < first && i < layout.compatible.size(); ++i) {
    BoundSet& slot = bound->sets[i];
    if (slot.compatible != 0 && slot.compatible != layout.compatible[i]) [[unlikely]]
      slot.compatible = BoundSet::kDisturbed;
  }
}

}  // namespace

void CmdBindDescriptorSets::Before(VkCall& call, VkCommandBuffer commands,
                                   VkPipelineBindPoint point, VkPipelineLayout handle,
                                   uint32_t first, uint32_t count, const VkDescriptorSet* sets,
                                   uint32_t offset_count, const uint32_t* offsets) {
  CommandBufferState* state = RecordedStateOf(call, commands);
  if (state == nullptr) return;
  const auto* layout =
      FindPart<PipelineLayoutState>(call, ObjectKind::kPipelineLayout, HandleOf(handle));
  if (layout != nullptr) {
    CheckNumbers(call, handle, *layout, first, count);
  } else if (handle != VK_NULL_HANDLE) {
    UseHandle(call, ObjectKind::kPipelineLayout, HandleOf(handle), "layout");
  }
  bool known = true;
  uint32_t needed = 0;  // dynamic offsets
  BindPoint& bound = state->bindings.At(point);
  if (!Bindings::IsSlotRange(first, count)) [[unlikely]]
    return;
  if (bound.sets.size() < first + count) bound.sets.resize(first + count);
  if (layout != nullptr && first != 0 && count != 0) Disturb(*layout, first, &bound);
  uint32_t offset = 0;
  for (uint32_t i = 0; i < count; ++i) {
    BoundSet& slot = bound.sets[first + i];
    DescriptorSetState* set =
        sets[i] != VK_NULL_HANDLE ? SetOf(call, sets[i], "pDescriptorSets[]") : nullptr;
    if (set == nullptr || set->layout == nullptr) {
      known = false;
      bound.unknown_sets |= sets[i] != VK_NULL_HANDLE;
      slot.Clear();
      continue;
    }
    slot.Clear();
    slot.Bind(set->object, 0);
    if (layout != nullptr && first + i < layout->compatible.size())
      slot.compatible = layout->compatible[first + i];
    if (layout != nullptr) CheckSetLayout(call, handle, *layout, *set, first + i);
    if (!set->dynamic) continue;
    for (const LayoutBinding& binding : set->layout->bindings) {
      if (!IsDynamic(binding.type)) continue;
      needed += binding.count;
      for (uint32_t j = 0; j < binding.count && offset < offset_count; ++j) {
        CheckDynamicOffset(call, *set, binding, j, offsets[offset]);
        slot.offsets.push_back(offsets[offset++]);
      }
    }
  }
  if (known && needed != offset_count) [[unlikely]] {
    rules::DescriptorUse use;
    use.fault = rules::DescriptorUse::Fault::kDynamicCount;
    use.number = needed;
    use.end = offset_count;
    use.vuid = "VUID-vkCmdBindDescriptorSets-dynamicOffsetCount-00359";
    rules::OnDescriptorUse(use, call);
  }
}

namespace {

// Reports a set number that is not that of push descriptors.
void CheckPushedSet(VkCall& call, const PipelineLayoutState& layout, uint32_t set) {
  const bool known = set < layout.sets.size();
  if (known && (layout.sets[set] == nullptr || layout.sets[set]->pushed)) [[likely]]
    return;
  rules::DescriptorUse use;
  use.fault = known ? rules::DescriptorUse::Fault::kNotPushed : rules::DescriptorUse::Fault::kNoSet;
  use.number = set;
  use.end = layout.sets.size();
  const bool by_template = std::string_view(call.info().name).find("Template") != std::string::npos;
  use.vuid = by_template ? known ? "VUID-vkCmdPushDescriptorSetWithTemplate-set-07305"
                                 : "VUID-vkCmdPushDescriptorSetWithTemplate-set-07304"
             : known     ? "VUID-vkCmdPushDescriptorSet-set-00365"
                         : "VUID-vkCmdPushDescriptorSet-set-00364";
  rules::OnDescriptorUse(use, call);
}

// The slot for pushed descriptors; nullptr: unknown command buffer or layout.
PushedSet* PushedOf(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                    VkPipelineLayout handle, uint32_t set) {
  CommandBufferState* state = RecordedStateOf(call, commands);
  auto* layout = FindPart<PipelineLayoutState>(call, ObjectKind::kPipelineLayout, HandleOf(handle));
  if (layout != nullptr) CheckPushedSet(call, *layout, set);
  if (state == nullptr || layout == nullptr || set >= layout->sets.size() ||
      layout->sets[set] == nullptr) {
    if (state != nullptr) state->bindings.At(point).unknown_sets = true;
    return nullptr;
  }
  BindPoint& bound = state->bindings.At(point);
  if (bound.sets.size() <= set) bound.sets.resize(set + 1);
  BoundSet& slot = bound.sets[set];
  if (slot.pushed == nullptr || slot.pushed->layout != layout->sets[set]) {
    slot.Clear();
    slot.pushed = std::make_shared<PushedSet>();
    slot.pushed->layout = layout->sets[set];
    slot.pushed->descriptors.resize(layout->sets[set]->descriptors);
  }
  return slot.pushed.get();
}

void Push(VkCall& call, PushedSet& pushed, const VkWriteDescriptorSet& write) {
  const LayoutBinding* binding = pushed.layout->Find(write.dstBinding);
  CheckWrite(call, nullptr, *pushed.layout, binding, write, pushed.descriptors.size());
  if (binding == nullptr) return;
  CheckSampler(call, nullptr, *binding, write);
  WriteDescriptors(call, *binding, write, &pushed.descriptors);
}

}  // namespace

void CmdPushDescriptorSet::Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                                  VkPipelineLayout layout, uint32_t set, uint32_t count,
                                  const VkWriteDescriptorSet* writes) {
  PushedSet* pushed = PushedOf(call, commands, point, layout, set);
  for (uint32_t i = 0; pushed != nullptr && i < count; ++i) Push(call, *pushed, writes[i]);
}

void CmdPushDescriptorSetWithTemplate::Before(VkCall& call, VkCommandBuffer commands,
                                              VkDescriptorUpdateTemplate update,
                                              VkPipelineLayout layout, uint32_t set,
                                              const void* data) {
  const auto* known = UsePart<DescriptorTemplateState>(
      call, ObjectKind::kDescriptorTemplate, HandleOf(update), "descriptorUpdateTemplate");
  if (known == nullptr) {
    CommandBufferState* state = StateOf(call, commands);
    if (state != nullptr)
      state->bindings.compute.unknown_sets = state->bindings.graphics.unknown_sets = true;
    return;
  }
  if (!HasTemplateData(call, data)) return;
  PushedSet* pushed = PushedOf(call, commands, known->point, layout, set);
  if (pushed == nullptr) return;
  WriteByTemplate(call, *known, data, nullptr, *pushed->layout, &pushed->descriptors);
}

namespace {

// Sets the inputs of the next dispatch. Returns whether they differ from those of the last one.
// Precondition: the compute pipeline that is bound is live; if it reads pushes, it has ranges.
[[gnu::always_inline]] inline bool SetInputs(CommandBufferState& state, const Groups& groups) {
  Bindings& bindings = state.bindings;
  bool changed = state.inputs.groups != groups;
  state.inputs.groups = groups;
  if (bindings.push_constants_new) {
    bindings.push_constants_new = false;
    if (bindings.compute.reads_pushes) {
      const PushedNumbers pushed =
          PipelineOf(*bindings.compute.pipeline.object).ranges->Pushed(bindings.push_constants);
      changed |= pushed != state.inputs.pushed;
      state.inputs.pushed = pushed;
    }
  }
  return changed;
}

// Records the inputs of a dispatch, if its pipeline needs them. Groups of 0: not known, or it may
// not run.
void RecordInputs(Recorder& recorder, Groups groups) {
  CommandBufferState& state = recorder.state();
  if (state.condition != CommandBufferState::Condition::kNone) groups = {};
  const BindPoint& bound = state.bindings.compute;
  const PlainObject* pipeline = bound.pipeline.get();
  if (bound.ranged && pipeline != nullptr && pipeline->live() && SetInputs(state, groups))
    recorder.Append<RecordedInputs>(state.inputs);
}

}  // namespace

Scope* DispatchFast(const CallInfo& info, const void* return_address, const void* frame_address,
                    VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  CommandBufferState* state = FastState(commands);
  if (state == nullptr) [[unlikely]]
    return nullptr;
  const BindPoint& bound = state->bindings.compute;
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  Recording& recording = *state->recording;
  const BoundSet* const begin = bound.sets.data();
  const BoundSet* const end = begin + bound.sets.size();
  static_assert(sizeof(BoundSet) >= sizeof(RecordedSet));
  if (bound.plain_at != released || bound.by_address ||
      !recording.HasRoom(sizeof(RecordedHold) + sizeof(RecordedInputs) +
                         bound.sets.size() * sizeof(BoundSet))) [[unlikely]]
    return nullptr;
  uint32_t missing = bound.unknown_sets ? 0 : bound.needed_sets;
  uint32_t bit = 1;  // 0 after the first 32 sets
  for (const BoundSet* set = begin; set != end; ++set, bit <<= 1) {
    if (set->plain_at != released) [[unlikely]]
      return nullptr;
    missing &= set->set.object != nullptr ? ~bit : ~uint32_t{0};
  }
  if (missing != 0) [[unlikely]]
    return nullptr;
  const SiteId site = WarmSiteInline(return_address, frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return nullptr;
  std::byte* at = recording.Fill();
  bool of_command = true;
  if (state->last_held != bound.pipeline.object) [[unlikely]] {
    state->last_held = bound.pipeline.object;
    at = Recording::FillIn<RecordedHold>(at, of_command, info, site, bound.pipeline.object,
                                         bound.pipeline.generation);
    of_command = false;
  }
  if (bound.ranged) {
    if (state->condition != CommandBufferState::Condition::kNone) [[unlikely]]
      x = y = z = 0;
    if (SetInputs(*state, {x, y, z})) [[unlikely]] {
      at = Recording::FillIn<RecordedInputs>(at, of_command, info, site, state->inputs);
      of_command = false;
    }
  }
  uint32_t index = 0;
  for (const BoundSet* set = begin; set != end; ++set, ++index) {
    if (set->set.object == nullptr) continue;
    at = Recording::FillIn<RecordedSet>(at, of_command, info, site, set->set.object,
                                        set->set.generation, bound.pipeline.generation,
                                        bound.pipeline.object, index, uint32_t{0});
    of_command = false;
  }
  recording.FillTo(at);
  --state->fast_left;
  return state->scope;
}

namespace {

// Reports numbers of workgroups that exceed the limits of the device. `base`: the first workgroup.
void CheckGroups(VkCall& call, const std::array<uint32_t, 3>& base,
                 const std::array<uint32_t, 3>& counts, bool has_base) {
  static constexpr const char* kPlain[] = {"groupCountX-00386", "groupCountY-00387",
                                           "groupCountZ-00388"};
  static constexpr const char* kBased[] = {"groupCountX-00424", "groupCountY-00425",
                                           "groupCountZ-00426"};
  const auto& most = call.device().limits.maxComputeWorkGroupCount;
  for (uint32_t d = 0; d < 3; ++d) {
    const uint64_t end = uint64_t{base[d]} + counts[d];
    if (end <= most[d]) [[likely]]
      continue;
    const char axis = static_cast<char>('X' + d);
    std::string given = absl::StrCat("the groupCount", std::string(1, axis), " ", counts[d]);
    if (base[d] != 0)
      absl::StrAppend(&given, " behind baseGroup", std::string(1, axis), " ", base[d]);
    ReportLimit(call, given, absl::StrCat("maxComputeWorkGroupCount[", d, "]"), most[d],
                has_base ? absl::StrCat("vkCmdDispatchBase-", kBased[d])
                         : absl::StrCat("vkCmdDispatch-", kPlain[d]));
  }
}

// The pipeline must be created for dispatches with a base.
void CheckTakesBase(Recorder& recorder) {
  const PlainObject* pipeline = recorder.state().bindings.compute.pipeline.get();
  if (pipeline == nullptr || !pipeline->live()) return;
  const PipelineState& state = PipelineOf(*pipeline);
  if (state.known() && state.takes_no_base) [[unlikely]]
    ReportSync(recorder.call(), *pipeline, rules::SyncStateUse::Fault::kNoDispatchBase);
}

// Differ from the groups of each dispatch: the next one records its inputs.
constexpr Groups kNoGroups = {UINT32_MAX, UINT32_MAX, UINT32_MAX};

// `groups`: as for RecordInputs. `base`: the first workgroup.
void RecordDispatch(VkCall& call, VkCommandBuffer commands, Groups groups, Groups base) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  if (!call.device().dispatches_in_passes) recorder.NeedOutside();
  DispatchInputs& inputs = recorder.state().inputs;
  const bool has_base = base != Groups{};
  if (has_base) [[unlikely]] {
    CheckTakesBase(recorder);
    inputs.groups = kNoGroups;
    inputs.base = base;
  }
  RecordInputs(recorder, groups);
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_COMPUTE);
  if (recorder.state().bindings.compute.by_address) RecordAddressUses(recorder);
  if (!has_base) [[likely]]
    return;
  inputs.groups = kNoGroups;
  inputs.base = {};
}

}  // namespace

void CmdDispatch::Before(VkCall& call, VkCommandBuffer commands, uint32_t x, uint32_t y,
                         uint32_t z) {
  CheckGroups(call, {}, {x, y, z}, false);
  if (x == 0 || y == 0 || z == 0) return;  // runs nothing
  RecordDispatch(call, commands, {x, y, z}, {});
}

void CmdDispatchBase::Before(VkCall& call, VkCommandBuffer commands, uint32_t base_x,
                             uint32_t base_y, uint32_t base_z, uint32_t x, uint32_t y, uint32_t z) {
  CheckGroups(call, {base_x, base_y, base_z}, {x, y, z}, true);
  if (x == 0 || y == 0 || z == 0) return;  // runs nothing
  RecordDispatch(call, commands, {x, y, z}, {base_x, base_y, base_z});
}

void CmdDispatchIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer handle,
                                 VkDeviceSize offset) {
  Resource* buffer = UseBuffer(call, handle, "buffer");
  if (buffer != nullptr) {
    CheckBoundOnce(call, *buffer, "buffer");
    CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                     "VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT", "buffer");
    CheckAligned(call, *buffer, "offset", offset, 4, "offset-02710");
    if (!HasBytes(call, *buffer, offset, sizeof(VkDispatchIndirectCommand), "offset-00407"))
      buffer = nullptr;
  }
  Recorder recorder(call, commands);
  if (!recorder) return;
  if (!call.device().dispatches_in_passes) recorder.NeedOutside();
  if (buffer != nullptr) {
    recorder
        .Use(*buffer, Region::Linear(offset, sizeof(VkDispatchIndirectCommand)),
             VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT)
        .maybe = MayBeSkipped(recorder);
  }
  RecordInputs(recorder, {});
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_COMPUTE);
}

void CmdDispatchIndirect2::Before(VkCall& call, VkCommandBuffer commands, const void* argument) {
  const auto* info = later::Read<later::VkDispatchIndirect2InfoKHR>(call, argument, "pInfo");
  Recorder recorder(call, commands);
  if (!recorder || info == nullptr) return;
  if (!call.device().dispatches_in_passes) recorder.NeedOutside();
  RecordedUse* use = UseAddressed(
      recorder, {info->addressRange.address, sizeof(VkDispatchIndirectCommand)},
      VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, false);
  if (use != nullptr) use->maybe = MayBeSkipped(recorder);
  RecordInputs(recorder, {});
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_COMPUTE);
}

}  // namespace gpusan::vulkan
