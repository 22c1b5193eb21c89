// See the header.
#include "hooks/vulkan/shaders/pipelines.h"

#include <algorithm>
#include <initializer_list>
#include <mutex>

#include "hooks/common/guard.h"
#include "hooks/vulkan/objects/buffers.h"
#include "hooks/vulkan/objects/memory.h"
#include "hooks/vulkan/recording/render_passes.h"
#include "hooks/vulkan/shaders/shader_uses.h"

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

bool IsDynamic(const VkGraphicsPipelineCreateInfo& info,
               std::initializer_list<VkDynamicState> states) {
  for (uint32_t i = 0; info.pDynamicState != nullptr && i < info.pDynamicState->dynamicStateCount;
       ++i) {
    if (std::find(states.begin(), states.end(), info.pDynamicState->pDynamicStates[i]) !=
        states.end())
      return true;
  }
  return false;
}

// The color attachments that the draws of a pipeline write, as far as that does not change later.
// Its subpass has some.
AttachmentUses ColorUses(const VkGraphicsPipelineCreateInfo& info) {
  if (info.pColorBlendState == nullptr || IsDynamic(info, {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,
                                                           VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT}))
    return 0;
  AttachmentUses uses = 0;
  for (uint32_t i = 0; i < std::min(info.pColorBlendState->attachmentCount, 32u); ++i) {
    const auto* attachments = info.pColorBlendState->pAttachments;
    if (attachments != nullptr && attachments[i].colorWriteMask != 0) uses |= ColorWritten(i);
  }
  return uses;
}

// What the subpass that the pipeline is for has: the pipeline's state of what it lacks is not to be
// looked at, and may point anywhere. Nothing where rendering is dynamic: its attachments count at
// its begin and end.
struct Attached {
  bool color = false, depth = false;
};
Attached AttachedTo(VkCall& call, const VkGraphicsPipelineCreateInfo& info) {
  Attached attached;
  const auto* pass =
      FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info.renderPass));
  if (pass == nullptr || info.subpass >= pass->plan->subpasses.size()) return attached;
  for (const PassPlan::Use& use : pass->plan->subpasses[info.subpass].uses) {
    attached.color |= use.color_slot != PassPlan::Use::kNoSlot;
    attached.depth |= use.depth;
  }
  return attached;
}

// Whether what the comparison is against decides.
bool Compares(VkCompareOp op) { return op != VK_COMPARE_OP_NEVER && op != VK_COMPARE_OP_ALWAYS; }
bool Writes(const VkStencilOpState& face) {
  return face.writeMask != 0 &&
         (face.failOp != VK_STENCIL_OP_KEEP || face.passOp != VK_STENCIL_OP_KEEP ||
          face.depthFailOp != VK_STENCIL_OP_KEEP);
}

// What the tests of depth and stencil do, once those that are switched by the command buffer are
// enabled. Of other dynamic state nothing is claimed.
void AddDepthUses(const VkGraphicsPipelineCreateInfo& info, PipelineState* state) {
  const VkPipelineDepthStencilStateCreateInfo* given = info.pDepthStencilState;
  if (given == nullptr) return;
  state->dynamic_depth_test = IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE});
  state->dynamic_depth_write = IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE});
  state->dynamic_stencil_test = IsDynamic(info, {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE});
  if ((given->depthTestEnable || state->dynamic_depth_test) &&
      !IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP})) {
    if (Compares(given->depthCompareOp)) state->attachments |= kDepthRead;
    if (given->depthCompareOp != VK_COMPARE_OP_NEVER &&
        (given->depthWriteEnable || state->dynamic_depth_write))
      state->attachments |= kDepthWritten;
  }
  if ((given->stencilTestEnable || state->dynamic_stencil_test) &&
      !IsDynamic(info, {VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK})) {
    if (Compares(given->front.compareOp) || Compares(given->back.compareOp))
      state->attachments |= kStencilRead;
    if (Writes(given->front) || Writes(given->back)) state->attachments |= kStencilWritten;
  }
}

void AddAttachmentUses(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                       PipelineState* state) {
  if (info.pRasterizationState == nullptr || info.pRasterizationState->rasterizerDiscardEnable ||
      IsDynamic(info, {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE}))
    return;
  const Attached attached = AttachedTo(call, info);
  if (attached.color) state->attachments = ColorUses(info);
  if (attached.depth) AddDepthUses(info, state);
}

// A part of a pipeline, or one that is made of such parts: what the others say is not in the info,
// whose pointers may point anywhere.
bool IsInParts(const VkGraphicsPipelineCreateInfo& info) {
  const auto* parts = FindInChain<VkPipelineLibraryCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0 ||
         (parts != nullptr && parts->libraryCount != 0);
}
// Its state of vertices is that of the info: no shader is there that needs none, and no command
// gives it.
bool SaysVertexInput(const VkGraphicsPipelineCreateInfo& info) {
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    if (info.pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
      return !IsDynamic(info, {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
  }
  return false;
}

}  // namespace

void BoundSet::Clear() {
  const ReentryGuard guard;  // the shortest of calls come here, too
  plain_at = 0;
  set = WeakRef<PlainObject>();
  pushed.reset();
  offsets.clear();
}

void Bindings::Clear() {
  for (BindPoint* point : {&compute, &graphics, &other}) {
    point->pipeline = WeakRef<PlainObject>();
    point->plain_at = 0;
    for (BoundSet& set : point->sets) set.Clear();
  }
  vertex.clear();
  index = Range();
  dynamic = {};
}

void PipelineState::Reset() {
  incomplete = false;
  bindings.clear();
  vertex_bindings = 0;
  attachments = 0;
  dynamic_depth_test = dynamic_depth_write = dynamic_stencil_test = false;
  used.Clear();
}

AttachmentUses PipelineState::UsesOf(const Bindings& bindings) const {
  AttachmentUses uses = attachments;
  if (dynamic_depth_test && !bindings.dynamic.depth_test) uses &= ~(kDepthRead | kDepthWritten);
  if (dynamic_depth_write && !bindings.dynamic.depth_write) uses &= ~kDepthWritten;
  if (dynamic_stencil_test && !bindings.dynamic.stencil_test)
    uses &= ~(kStencilRead | kStencilWritten);
  return uses;
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
    if (IsInParts(infos[i])) {
      state->incomplete = true;
      continue;
    }
    for (uint32_t j = 0; j < infos[i].stageCount; ++j) AddStage(call, infos[i].pStages[j], state);
    AddAttachmentUses(call, infos[i], state);
    const VkPipelineVertexInputStateCreateInfo* input = infos[i].pVertexInputState;
    if (input == nullptr || !SaysVertexInput(infos[i])) continue;
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
  if (state == nullptr) return;
  BindPoint& bound = state->bindings.At(point);
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  bound.pipeline = WeakRef<PlainObject>(pipeline);
  if (call.device().unseen_bindings) state->unseen_writes = true;
  const bool plain = pipeline != nullptr && pipeline->live() &&
                     !static_cast<const PipelineState*>(pipeline->part)->incomplete;
  bound.plain_at = plain ? released : 0;
}

bool BindPlainSets(Tracker& tracker, VkCommandBuffer commands, VkPipelineBindPoint point,
                   uint32_t first, uint32_t count, const VkDescriptorSet* sets) {
  CommandBufferState* state = RecentState(commands);
  if (state == nullptr) [[unlikely]]
    return false;
  BindPoint& bound = state->bindings.At(point);
  if (bound.sets.size() < size_t{first} + count) [[unlikely]]
    return false;
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  BoundSet* slot = &bound.sets[first];
  for (uint32_t i = 0; i < count; ++i, ++slot) {
    auto* set = static_cast<PlainObject*>(
        tracker.Find(Api::kVulkan, ObjectKind::kDescriptorSet, HandleOf(sets[i])));
    if (set == nullptr || !set->live() ||
        (set->mark.load(std::memory_order_relaxed) != released && MarkPlain(*set) != released))
        [[unlikely]]
      return false;
    recent_sets.Keep(set);
    slot->Bind(set, released);
  }
  return true;
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
    slot.Clear();
    slot.Bind(set->object, 0);
    if (!set->dynamic) continue;
    for (const LayoutBinding& binding : set->layout->bindings) {
      if (!IsDynamic(binding.type)) continue;
      for (uint32_t j = 0; j < binding.count && offset < offset_count; ++j)
        slot.offsets.push_back(offsets[offset++]);
    }
  }
}

namespace {

// Where descriptors are pushed to; nullptr: nothing is known of it.
PushedSet* PushedOf(VkCall& call, VkCommandBuffer commands, VkPipelineBindPoint point,
                    VkPipelineLayout handle, uint32_t set) {
  CommandBufferState* state = StateOf(call, commands);
  auto* layout = FindPart<PipelineLayoutState>(call, ObjectKind::kPipelineLayout, HandleOf(handle));
  if (state == nullptr || layout == nullptr || set >= layout->sets.size() ||
      layout->sets[set] == nullptr)
    return nullptr;
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
  if (binding != nullptr) WriteDescriptors(call, *binding, write, &pushed.descriptors);
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
  if (known == nullptr) return;
  PushedSet* pushed = PushedOf(call, commands, known->point, layout, set);
  if (pushed == nullptr) return;
  known->ForEachWrite(data, [&](const VkWriteDescriptorSet& write) { Push(call, *pushed, write); });
}

const Scope* DispatchQuickly(const CallInfo& info, const void* return_address,
                             const void* frame_address, VkCommandBuffer commands) {
  CommandBufferState* state = QuickState(commands);
  if (state == nullptr) [[unlikely]]
    return nullptr;
  const BindPoint& bound = state->bindings.compute;
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  Recording& recording = *state->recording;
  const BoundSet* const begin = bound.sets.data();
  const BoundSet* const end = begin + bound.sets.size();
  static_assert(sizeof(BoundSet) >= sizeof(RecordedSet));
  if (bound.plain_at != released || state->last_held != bound.pipeline.object ||
      !recording.HasRoom(bound.sets.size() * sizeof(BoundSet))) [[unlikely]]
    return nullptr;
  for (const BoundSet* set = begin; set != end; ++set) {
    if (set->plain_at != released) [[unlikely]]
      return nullptr;
  }
  const SiteId site = WarmSiteInline(return_address, frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return nullptr;
  std::byte* at = recording.Fill();
  bool of_command = true;
  uint32_t index = 0;
  for (const BoundSet* set = begin; set != end; ++set, ++index) {
    if (set->set.object == nullptr) continue;
    at = Recording::FillIn<RecordedSet>(at, of_command, info, site, set->set.object,
                                        set->set.generation, bound.pipeline.generation,
                                        bound.pipeline.object, index, uint32_t{0});
    of_command = false;
  }
  recording.FillTo(at);
  --state->quick_left;
  return state->scope;
}

bool DispatchPlainly(const CallInfo& info, const void* return_address, const void* frame_address,
                     VkCommandBuffer commands) {
  CommandBufferState* state = RecentState(commands);
  if (state == nullptr || state->phase != CommandBufferState::Phase::kRecording) [[unlikely]]
    return false;
  BindPoint& bound = state->bindings.compute;
  const uint32_t released = released_objects.load(std::memory_order_relaxed);
  Recording& recording = *state->recording;
  if (bound.plain_at != released ||
      !recording.HasRoom(sizeof(RecordedHold) + bound.sets.size() * sizeof(RecordedSet)))
      [[unlikely]]
    return false;
  for (const BoundSet& set : bound.sets) {
    if (set.plain_at != released) [[unlikely]]
      return false;
  }
  const SiteId site = WarmSiteInline(return_address, frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return false;
  recording.NextCommand();
  if (state->last_held != bound.pipeline.object) [[unlikely]] {
    state->last_held = bound.pipeline.object;
    recording.AppendFitting<RecordedHold>(info, site, bound.pipeline.object,
                                          bound.pipeline.generation);
  }
  uint32_t index = 0;
  for (const BoundSet& set : bound.sets) {
    if (set.set.object != nullptr) [[likely]] {
      recording.AppendFitting<RecordedSet>(info, site, set.set.object, set.set.generation,
                                           bound.pipeline.generation, bound.pipeline.object, index,
                                           uint32_t{0});
    }
    ++index;
  }
  return true;
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
