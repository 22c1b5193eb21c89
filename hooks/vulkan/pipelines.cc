// See the header.
#include "hooks/vulkan/pipelines.h"

#include <algorithm>
#include <mutex>

#include "hooks/vulkan/buffers.h"
#include "hooks/vulkan/memory.h"

namespace gpusan::vulkan {
namespace {

uint64_t PipelineStageOf(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    case VK_SHADER_STAGE_COMPUTE_BIT:
      return VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    default:
      return 0;
  }
}

// Adds what a stage uses. A module that cannot be found leaves its uses unknown.
void AddStage(VkCall& call, const VkPipelineShaderStageCreateInfo& stage, PipelineState* state) {
  std::shared_ptr<const ShaderModule> module;
  if (stage.module != VK_NULL_HANDLE) {
    if (auto* known =
            FindPart<ShaderModuleState>(call, ObjectKind::kProgram, HandleOf(stage.module)))
      module = known->module;
  } else if (const auto* code = FindInChain<VkShaderModuleCreateInfo>(
                 stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    module = std::make_shared<ShaderModule>(ReadShaderModule(code->pCode, code->codeSize / 4));
  }
  const EntryPoint* entry = module != nullptr ? module->Find(stage.pName, stage.stage) : nullptr;
  if (entry == nullptr) {
    state->incomplete = true;
    return;
  }
  const uint64_t pipeline_stage = PipelineStageOf(stage.stage);
  for (const ShaderBinding& used : entry->bindings) {
    PipelineBinding binding;
    static_cast<ShaderBinding&>(binding) = used;
    binding.stages = pipeline_stage;
    state->bindings.push_back(binding);
  }
}

PipelineState* KeepPipeline(VkCall& call, VkPipeline handle) {
  if (handle == VK_NULL_HANDLE) return nullptr;
  return KeepNew<PipelineState>(call, ObjectKind::kPipeline, HandleOf(handle));
}

// How a shader reads a descriptor of that type.
uint64_t ReadAccess(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return VK_ACCESS_2_UNIFORM_READ_BIT;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT;
    default:
      return VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
  }
}

bool MayBeWritten(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
         type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

void RecordUse(Recorder& recorder, const PipelineBinding& used, const LayoutBinding& binding,
               const Descriptor& descriptor, uint64_t dynamic_offset) {
  // Of an array, and of what may be changed later, nobody knows whether it is used.
  if (descriptor.seen_through && !used.array && !binding.update_after_bind) {
    for (const WeakRef<PlainObject>& held : {descriptor.view, descriptor.sampler}) {
      if (held.object == nullptr) continue;
      if (PlainObject* object = held.get(); object != nullptr) recorder.Hold(*object);
    }
  }
  Resource* resource = descriptor.resource.get();
  if (resource == nullptr) return;
  // Which descriptors of an array a shader uses is not known: they count for lifetime alone. Of an
  // input attachment that the subpass writes as well, nobody knows which comes first.
  const bool input = binding.type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const bool unordered =
      used.array || binding.update_after_bind ||
      (input && !recorder.state().pass.OnlyReads(*resource, descriptor.extent.part));
  if (!resource->live()) {
    if (used.array || binding.update_after_bind) return;
    recorder.call().tracker().CheckStaleUse(
        recorder.call(),
        {resource, resource->handle, &recorder.call().info(), recorder.call().site()});
    return;
  }
  const bool writes = used.writes && MayBeWritten(binding.type);
  // It may name something else by the time that it runs.
  if (writes && binding.update_after_bind) recorder.state().unseen_writes = true;
  const bool reads = used.reads || !writes;
  auto complete = [&](RecordedUse& use) {
    use.shader = true;
    use.unordered = unordered;
    use.of_subpass = input;
  };
  Extent extent = descriptor.extent;
  if (dynamic_offset != 0) extent.region.offset += dynamic_offset;
  if (reads) {
    complete(recorder.Use(*resource, extent, used.stages, ReadAccess(binding.type),
                          unordered ? kNoLayout : descriptor.layout));
  }
  if (writes) {
    complete(recorder.Write(*resource, extent, used.stages, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                            unordered ? kNoLayout : descriptor.layout));
  }
}

void RecordSet(Recorder& recorder, const PipelineState& pipeline, uint32_t index, BoundSet& bound) {
  PlainObject* object = bound.set.get();
  DescriptorSetState* set =
      object != nullptr ? static_cast<DescriptorSetState*>(object->part) : nullptr;
  if (object != nullptr) {
    recorder.Append<RecordedHold>(object, bound.set.generation);
    if (!object->live()) return;
  }
  const std::vector<Descriptor>* descriptors =
      set != nullptr ? &set->descriptors : bound.pushed.get();
  const SetLayout* layout = set != nullptr ? set->layout.get() : bound.layout.get();
  if (descriptors == nullptr || layout == nullptr) return;
  for (const PipelineBinding& used : pipeline.bindings) {
    if (used.set != index) continue;
    const LayoutBinding* binding = layout->Find(used.binding);
    if (binding == nullptr) continue;
    // Dynamic offsets come in the order of bindings and of elements.
    size_t dynamic = 0;
    if (IsDynamic(binding->type)) {
      for (const LayoutBinding& before : layout->bindings) {
        if (before.binding < binding->binding && IsDynamic(before.type)) dynamic += before.count;
      }
    }
    for (uint32_t i = 0; i < binding->count && binding->first + i < descriptors->size(); ++i) {
      const uint64_t offset = IsDynamic(binding->type) && dynamic + i < bound.offsets.size()
                                  ? bound.offsets[dynamic + i]
                                  : 0;
      RecordUse(recorder, used, *binding, (*descriptors)[binding->first + i], offset);
    }
  }
}

// The color attachments that the draws of a pipeline write, as far as that does not change later.
uint32_t ColorSlots(const VkGraphicsPipelineCreateInfo& info) {
  if (info.pColorBlendState == nullptr || info.pRasterizationState == nullptr ||
      info.pRasterizationState->rasterizerDiscardEnable)
    return 0;
  for (uint32_t i = 0; info.pDynamicState != nullptr && i < info.pDynamicState->dynamicStateCount;
       ++i) {
    const VkDynamicState state = info.pDynamicState->pDynamicStates[i];
    if (state == VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE ||
        state == VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT ||
        state == VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT)
      return 0;
  }
  uint32_t slots = 0;
  for (uint32_t i = 0; i < std::min(info.pColorBlendState->attachmentCount, 32u); ++i) {
    const auto* attachments = info.pColorBlendState->pAttachments;
    if (attachments != nullptr && attachments[i].colorWriteMask != 0) slots |= uint32_t{1} << i;
  }
  return slots;
}

}  // namespace

void BoundSet::Clear() {
  set = WeakRef<PlainObject>();
  pushed.reset();
  layout.reset();
  offsets.clear();
}

void BoundSet::Bind(const DescriptorSetState& to) {
  set = WeakRef<PlainObject>(to.object);
  if (pushed != nullptr) {
    pushed.reset();
    layout.reset();
  }
  offsets.clear();
  // The draw or dispatch that follows looks at them.
  __builtin_prefetch(to.descriptors.data());
}

void Bindings::Clear() {
  for (BindPoint* point : {&compute, &graphics}) {
    point->pipeline = WeakRef<PlainObject>();
    for (BoundSet& set : point->sets) set.Clear();
  }
  vertex.clear();
  index = Range();
}

void PipelineState::Reset() {
  incomplete = false;
  bindings.clear();
  vertex_bindings = color_slots = 0;
  used.Clear();
}

void RecordShaderUses(Recorder& recorder, VkPipelineBindPoint point) {
  BindPoint& bound = recorder.state().bindings.At(point);
  PlainObject* object = bound.pipeline.get();
  if (object == nullptr) return;
  recorder.Hold(*object);
  if (!object->live()) return;
  const auto& pipeline = static_cast<PipelineState&>(*object->part);
  if (pipeline.incomplete) recorder.state().unseen_writes = true;
  for (uint32_t i = 0; i < bound.sets.size(); ++i) RecordSet(recorder, pipeline, i, bound.sets[i]);
}

void CreateShaderModule::After(VkCall& call, VkResult code, VkDevice,
                               const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                               VkShaderModule* handle) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<ShaderModuleState>(call, ObjectKind::kProgram, HandleOf(*handle));
  if (state == nullptr) return;
  state->module = std::make_shared<ShaderModule>(ReadShaderModule(info->pCode, info->codeSize / 4));
}

void CreatePipelineLayout::After(VkCall& call, VkResult code, VkDevice,
                                 const VkPipelineLayoutCreateInfo* info,
                                 const VkAllocationCallbacks*, VkPipelineLayout* handle) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepNew<PipelineLayoutState>(call, ObjectKind::kPipelineLayout, HandleOf(*handle));
  if (state == nullptr) return;
  for (uint32_t i = 0; i < info->setLayoutCount; ++i)
    state->sets.push_back(LayoutOf(call, info->pSetLayouts[i]));
}

void CreateComputePipelines::After(VkCall& call, VkResult, VkDevice, VkPipelineCache,
                                   uint32_t count, const VkComputePipelineCreateInfo* infos,
                                   const VkAllocationCallbacks*, VkPipeline* pipelines) {
  // Where some fail, the others are made all the same.
  for (uint32_t i = 0; i < count; ++i) {
    PipelineState* state = KeepPipeline(call, pipelines[i]);
    if (state == nullptr) continue;
    AddStage(call, infos[i].stage, state);
  }
}

void CreateGraphicsPipelines::After(VkCall& call, VkResult, VkDevice, VkPipelineCache,
                                    uint32_t count, const VkGraphicsPipelineCreateInfo* infos,
                                    const VkAllocationCallbacks*, VkPipeline* pipelines) {
  for (uint32_t i = 0; i < count; ++i) {
    PipelineState* state = KeepPipeline(call, pipelines[i]);
    if (state == nullptr) continue;
    for (uint32_t j = 0; j < infos[i].stageCount; ++j) AddStage(call, infos[i].pStages[j], state);
    if (FindInChain<VkPipelineLibraryCreateInfoKHR>(
            infos[i].pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR) != nullptr)
      state->incomplete = true;
    state->color_slots = ColorSlots(infos[i]);
    const VkPipelineVertexInputStateCreateInfo* input = infos[i].pVertexInputState;
    if (input == nullptr) continue;
    for (uint32_t j = 0; j < input->vertexAttributeDescriptionCount; ++j) {
      const uint32_t binding = input->pVertexAttributeDescriptions[j].binding;
      if (binding < 32) state->vertex_bindings |= uint32_t{1} << binding;
    }
  }
}

void CmdBindPipeline::Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                             VkPipeline handle) {
  auto* pipeline = static_cast<PlainObject*>(
      call.tracker().Use(call, ObjectKind::kPipeline, HandleOf(handle), "pipeline"));
  CommandBufferState* state = StateOf(call, commands);
  if (state != nullptr) state->bindings.At(point).pipeline = WeakRef<PlainObject>(pipeline);
}

void CmdBindDescriptorSets::Before(VkCall& call, VkCommandBuffer commands,
                                   VkPipelineBindPoint point, VkPipelineLayout handle,
                                   uint32_t first, uint32_t count, const VkDescriptorSet* sets,
                                   uint32_t offset_count, const uint32_t* offsets) {
  CommandBufferState* state = StateOf(call, commands);
  if (state == nullptr) return;
  (void)handle;
  BindPoint& bound = state->bindings.At(point);
  if (bound.sets.size() < first + count) bound.sets.resize(first + count);
  uint32_t offset = 0;
  for (uint32_t i = 0; i < count; ++i) {
    BoundSet& slot = bound.sets[first + i];
    DescriptorSetState* set =
        sets[i] != VK_NULL_HANDLE ? SetOf(call, sets[i], "pDescriptorSets[]") : nullptr;
    if (set == nullptr || set->layout == nullptr) {
      slot.Clear();
      continue;
    }
    slot.Bind(*set);
    if (!set->dynamic) continue;
    for (const LayoutBinding& binding : set->layout->bindings) {
      if (!IsDynamic(binding.type)) continue;
      for (uint32_t j = 0; j < binding.count && offset < offset_count; ++j)
        slot.offsets.push_back(offsets[offset++]);
    }
  }
}

void CmdPushDescriptorSet::Before(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                                  VkPipelineLayout handle, uint32_t set, uint32_t count,
                                  const VkWriteDescriptorSet* writes) {
  CommandBufferState* state = StateOf(call, commands);
  auto* layout = FindPart<PipelineLayoutState>(call, ObjectKind::kPipelineLayout, HandleOf(handle));
  if (state == nullptr || layout == nullptr || set >= layout->sets.size() ||
      layout->sets[set] == nullptr)
    return;
  BindPoint& bound = state->bindings.At(point);
  if (bound.sets.size() <= set) bound.sets.resize(set + 1);
  BoundSet& slot = bound.sets[set];
  if (slot.pushed == nullptr || slot.layout != layout->sets[set]) {
    slot.Clear();
    slot.layout = layout->sets[set];
    slot.pushed = std::make_shared<std::vector<Descriptor>>(slot.layout->descriptors);
  }
  for (uint32_t i = 0; i < count; ++i) {
    const LayoutBinding* binding = slot.layout->Find(writes[i].dstBinding);
    if (binding != nullptr) WriteDescriptors(call, *binding, writes[i], slot.pushed.get());
  }
}

void CmdDispatch::Before(VkCall& call, VkCommandBuffer commands, uint32_t x, uint32_t y,
                         uint32_t z) {
  if (x == 0 || y == 0 || z == 0) return;  // runs nothing
  if (Recorder recorder(call, commands); recorder)
    RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_COMPUTE);
}

void CmdDispatchBase::Before(VkCall& call, VkCommandBuffer commands, uint32_t, uint32_t, uint32_t,
                             uint32_t x, uint32_t y, uint32_t z) {
  CmdDispatch().Before(call, commands, x, y, z);
}

void CmdDispatchIndirect::Before(VkCall& call, VkCommandBuffer commands, VkBuffer handle,
                                 VkDeviceSize offset) {
  Resource* buffer = UseBuffer(call, handle, "buffer");
  if (buffer != nullptr) {
    CheckBoundOnce(call, *buffer, "buffer");
    CheckBufferUsage(call, *buffer, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                     "VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT", "buffer");
  }
  Recorder recorder(call, commands);
  if (!recorder) return;
  if (buffer != nullptr) {
    recorder.Use(*buffer, Region::Linear(offset, sizeof(VkDispatchIndirectCommand)),
                 VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
  }
  RecordShaderUses(recorder, VK_PIPELINE_BIND_POINT_COMPUTE);
}

}  // namespace gpusan::vulkan
