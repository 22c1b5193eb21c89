// Shaders and pipelines: which descriptors and attachments they use.
#include "hooks/vulkan/shaders/pipelines.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/content_uses.h"
#include "hooks/vulkan/shaders/needed_state.h"
#include "hooks/vulkan/shaders/pipeline_caches.h"
#include "hooks/vulkan/shaders/pipeline_features.h"
#include "hooks/vulkan/shaders/pipeline_parts.h"
#include "hooks/vulkan/shaders/render_pass_info.h"
#include "hooks/vulkan/shaders/set_checks.h"
#include "hooks/vulkan/shaders/shader_ranges.h"
#include "hooks/vulkan/shaders/stage_checks.h"
#include "hooks/vulkan/spirv/shader_stages.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

// Adds the push constants that must be written before the stage runs.
void AddPushNeeds(VkCall& call, VkShaderStageFlagBits stage, const PushReads& reads,
                  PipelineState* state) {
  if (call.device().features.maintenance4) {
    // Only what a shader reads when it runs must be written. Other stages run only if there are
    // primitives.
    constexpr VkShaderStageFlags kRunSurely =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT;
    if ((stage & kRunSurely) != 0 && reads.sure != 0)
      state->push_needs.push_back({stage, reads.sure, false});
    return;
  }
  if (reads.all != 0) state->push_needs.push_back({stage, reads.all, false});
  for (const PushWords some : reads.some) state->push_needs.push_back({stage, some, true});
  if (reads.all == 0 && reads.some.empty())
    state->push_needs.push_back({stage, ~PushWords{0}, true});
}

// What a stage reads and passes on, as in EntryPoint.
struct StageValues {
  uint64_t inputs = 0, integer_inputs = 0, float_inputs = 0;  // as in EntryPoint
  bool fixed = false;  // reads neither inputs nor resources nor push constants
  ValueFlow flow;
  uint8_t captures = 0;
  std::shared_ptr<const EntryPoint> entry;  // nullptr: not known, or specialized
};

// The module of a stage; nullptr: not known.
std::shared_ptr<const ShaderModule> ModuleOf(VkCall& call,
                                             const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) {
    const auto* known =
        FindPart<ShaderModuleState>(call, ObjectKind::kProgram, HandleOf(stage.module));
    return known != nullptr ? known->module : nullptr;
  }
  const auto* code = FindInChain<VkShaderModuleCreateInfo>(
      stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  return code != nullptr
             ? std::make_shared<ShaderModule>(ReadShaderModule(code->pCode, code->codeSize / 4))
             : nullptr;
}

// Adds the bindings that a stage uses. The uses of an unknown module stay unknown.
StageValues AddStage(VkCall& call, const VkPipelineShaderStageCreateInfo& stage,
                     PipelineState* state) {
  const std::shared_ptr<const ShaderModule> module = ModuleOf(call, stage);
  const EntryPoint* entry = module != nullptr ? module->Find(stage.pName, stage.stage) : nullptr;
  if (entry == nullptr) {
    state->incomplete = true;
    return {};
  }
  const uint64_t pipeline_stage = RowOf(stage.stage).pipeline_stage;
  for (const ShaderBinding& used : entry->bindings) {
    PipelineBinding binding;
    static_cast<ShaderBinding&>(binding) = used;
    binding.stages = pipeline_stage;
    binding.specialized = stage.pSpecializationInfo != nullptr;
    state->bindings.push_back(binding);
  }
  if (entry->push_constants && stage.pSpecializationInfo == nullptr) {
    state->push_stages |= stage.stage;
    AddPushNeeds(call, stage.stage, entry->pushes, state);
  }
  if (stage.pSpecializationInfo != nullptr)
    return {entry->inputs, entry->integer_inputs, entry->float_inputs, false, {}, entry->captures,
            nullptr};
  const bool fixed = entry->inputs == 0 && entry->bindings.empty() && !entry->push_constants;
  return {entry->inputs, entry->integer_inputs, entry->float_inputs, fixed,
          entry->flow,   entry->captures,       {module, entry}};
}

// The flags of a pipeline: of VkPipelineCreateFlags2CreateInfo, which older headers lack, if the
// chain has it. The other flags are then ignored.
template <typename Info>
uint64_t FlagsOf(const Info& info) {
  struct Flags2 {
    VkStructureType sType;
    const void* pNext;
    uint64_t flags;
  };
  constexpr auto kFlags2 = static_cast<VkStructureType>(1000470005);
  const auto* wide = FindInChain<Flags2>(info.pNext, kFlags2);
  return wide != nullptr ? wide->flags : info.flags;
}

// Descriptors come from buffers or heaps instead of sets.
template <typename Info>
bool HasNoSets(const Info& info) {
  constexpr uint64_t kDescriptorBuffer = 0x20000000, kDescriptorHeap = uint64_t{1} << 36;
  return (FlagsOf(info) & (kDescriptorBuffer | kDescriptorHeap)) != 0;
}

// Adds findings if the module of a stage is destroyed, or if the layout lacks what its shader uses.
// The uses of a specialized shader are unknown.
void CheckStage(VkCall& call, const VkPipelineShaderStageCreateInfo& stage, VkPipelineLayout layout,
                const char* pipeline_info) {
  if (stage.module != VK_NULL_HANDLE)
    UseHandle(call, ObjectKind::kProgram, HandleOf(stage.module), "module");
  if (stage.pSpecializationInfo == nullptr && layout == VK_NULL_HANDLE) return;
  const std::shared_ptr<const ShaderModule> module = ModuleOf(call, stage);
  if (stage.pSpecializationInfo != nullptr)
    return CheckSpecialization(call, *stage.pSpecializationInfo, module.get());
  const EntryPoint* entry = module != nullptr ? module->Find(stage.pName, stage.stage) : nullptr;
  if (entry != nullptr) CheckShaderLayout(call, *entry, layout, pipeline_info);
}

// Adds a finding if a shader reads push constants for which the layout has no range. `vuid`: the
// end of its name.
void CheckPushRanges(VkCall& call, VkPipeline handle, const PipelineLayoutState& layout,
                     VkShaderStageFlags stages, const char* vuid) {
  for (const VkPushConstantRange& range : layout.ranges) stages &= ~range.stageFlags;
  if (stages == 0) [[likely]]
    return;
  if (const Object* object =
          call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPipeline, HandleOf(handle)))
    ReportSync(call, *object, rules::SyncStateUse::Fault::kPushWithoutRange, "", vuid);
}

// Notes which sets of the layout must be bound, and how they are defined. `info`: of a compute or
// graphics pipeline.
template <typename Info>
void NoteSets(VkCall& call, VkPipeline handle, const Info& info, PipelineState* state) {
  if (state->incomplete || HasNoSets(info)) return;
  const auto* layout =
      FindPart<PipelineLayoutState>(call, ObjectKind::kPipelineLayout, HandleOf(info.layout));
  if (layout == nullptr) return;
  for (const auto& set : layout->sets)
    state->set_identities.push_back(set != nullptr ? set->identity : 0);
  state->compatible = layout->compatible;
  if (state->push_stages != 0) {
    constexpr bool kGraphics = std::is_same_v<Info, VkGraphicsPipelineCreateInfo>;
    CheckPushRanges(call, handle, *layout, state->push_stages,
                    kGraphics ? "VkGraphicsPipelineCreateInfo-layout-07987"
                              : "VkComputePipelineCreateInfo-layout-07987");
    if (!state->push_needs.empty()) state->needed_sets |= kPushConstants;
  }
  for (const PipelineBinding& used : state->bindings) {
    if (used.set < 31 && used.set < layout->sets.size() && layout->sets[used.set] != nullptr &&
        (used.reads || used.writes) && !used.specialized)
      state->needed_sets |= uint32_t{1} << used.set;
  }
}

PipelineState* KeepPipeline(VkCall& call, VkPipeline handle) {
  if (handle == VK_NULL_HANDLE) return nullptr;
  return KeepDescribed<PipelineState>(call, ObjectKind::kPipeline, HandleOf(handle));
}

// The color attachments that draws of the pipeline write, unless dynamic state may change it.
// Precondition: the subpass has color attachments.
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

// The attachments of the pipeline's subpass. State for attachments that it lacks must not be read:
// its pointers may be invalid.
struct Attached {
  bool color = false, depth = false;
};
Attached AttachedTo(VkCall& call, const VkGraphicsPipelineCreateInfo& info) {
  Attached attached;
  if (info.renderPass == VK_NULL_HANDLE) {
    // Dynamic rendering. With other locations or indices of attachments the uses are unknown.
    constexpr auto kLocations = static_cast<VkStructureType>(1000232001);
    const auto* rendering = FindInChain<VkPipelineRenderingCreateInfo>(
        info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    if (rendering == nullptr || FindInChain<VkBaseInStructure>(info.pNext, kLocations) != nullptr)
      return attached;
    attached.color = rendering->colorAttachmentCount != 0;
    attached.depth = rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                     rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED;
    return attached;
  }
  const auto* pass =
      FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info.renderPass));
  if (pass == nullptr || info.subpass >= pass->pass_info->subpasses.size()) return attached;
  for (const RenderPassInfo::Use& use : pass->pass_info->subpasses[info.subpass].uses) {
    attached.color |= use.color_slot != RenderPassInfo::Use::kNoSlot;
    attached.depth |= use.depth;
  }
  return attached;
}

// Whether primitives may be discarded before rasterization.
bool MayDiscard(const VkGraphicsPipelineCreateInfo& info) {
  return info.pRasterizationState == nullptr || info.pRasterizationState->rasterizerDiscardEnable ||
         IsDynamic(info, {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
}

// Whether the result of the comparison depends on the attachment.
bool Compares(VkCompareOp op) { return op != VK_COMPARE_OP_NEVER && op != VK_COMPARE_OP_ALWAYS; }
bool Writes(const VkStencilOpState& face) {
  return face.writeMask != 0 &&
         (face.failOp != VK_STENCIL_OP_KEEP || face.passOp != VK_STENCIL_OP_KEEP ||
          face.depthFailOp != VK_STENCIL_OP_KEEP);
}

// The accesses of the depth and stencil tests, if dynamic enables are on. Other dynamic state adds
// no access.
void AddDepthUses(const VkGraphicsPipelineCreateInfo& info, PipelineState* state) {
  const VkPipelineDepthStencilStateCreateInfo* given = info.pDepthStencilState;
  if (given == nullptr) return;
  const bool depth_test = IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE});
  const bool depth_write = IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE});
  const bool stencil_test = IsDynamic(info, {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE});
  state->dynamic_tests = (depth_test ? kSetsDepthTest : 0) | (depth_write ? kSetsDepthWrite : 0) |
                         (stencil_test ? kSetsStencilTest : 0);
  if ((given->depthTestEnable || depth_test) && (given->depthWriteEnable || depth_write))
    state->enabled_writes |= VK_IMAGE_ASPECT_DEPTH_BIT;
  if ((given->depthTestEnable || depth_test) &&
      !IsDynamic(info, {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP})) {
    if (Compares(given->depthCompareOp)) state->attachments |= kDepthRead;
    if (given->depthCompareOp != VK_COMPARE_OP_NEVER && (given->depthWriteEnable || depth_write))
      state->attachments |= kDepthWritten;
  }
  if ((given->stencilTestEnable || stencil_test) &&
      !IsDynamic(info, {VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK})) {
    if (Compares(given->front.compareOp) || Compares(given->back.compareOp))
      state->attachments |= kStencilRead;
    if (Writes(given->front) || Writes(given->back)) {
      state->attachments |= kStencilWritten;
      if (given->front.writeMask != 0 && given->back.writeMask != 0)
        state->enabled_writes |= VK_IMAGE_ASPECT_STENCIL_BIT;
    }
  }
}

constexpr VkFlags kOrderedColor =
    VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT;
constexpr VkFlags kOrderedDepth =
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;

void AddAttachmentUses(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                       PipelineState* state) {
  const Attached attached = AttachedTo(call, info);
  state->draw_state =
      StateOfPipeline(info, attached.color, attached.depth, call.device().features.absent_states);
  if (MayDiscard(info)) return;
  if (attached.color) state->attachments = ColorUses(info);
  if (attached.depth) AddDepthUses(info, state);
  // VK_EXT_rasterization_order_attachment_access: any of the flags counts for all attachments.
  state->ordered_inputs = (attached.color && info.pColorBlendState != nullptr &&
                           (info.pColorBlendState->flags & kOrderedColor) != 0) ||
                          (attached.depth && info.pDepthStencilState != nullptr &&
                           (info.pDepthStencilState->flags & kOrderedDepth) != 0);
}

// The samples that the pipeline rasterizes; 0: unknown.
uint32_t SamplesOf(const VkGraphicsPipelineCreateInfo& info) {
  constexpr auto kDynamicSamples = static_cast<VkDynamicState>(1000455005);
  return info.pMultisampleState != nullptr && !IsDynamic(info, {kDynamicSamples})
             ? info.pMultisampleState->rasterizationSamples
             : 0;
}

// Adds a finding if the attachments of the subpass have other sample counts than the pipeline.
void CheckSamples(VkCall& call, VkPipeline handle, uint32_t samples,
                  const RenderPassInfo& pass_info, uint32_t subpass) {
  if (samples == 0 || call.device().mixes_samples) return;
  for (const RenderPassInfo::Use& use : pass_info.subpasses[subpass].uses) {
    const uint32_t given = pass_info.attachments[use.attachment].samples;
    if ((use.color_slot == RenderPassInfo::Use::kNoSlot && !use.depth) || given == samples)
      continue;
    const Object* object =
        call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPipeline, HandleOf(handle));
    if (object == nullptr) return;
    return ReportSync(call, *object, rules::SyncStateUse::Fault::kPipelineSamples,
                      absl::StrCat(samples), absl::StrCat(given));
  }
}

// Notes the render passes, or the attachments of dynamic rendering, that the pipeline fits.
void NotePass(VkCall& call, VkPipeline handle, const VkGraphicsPipelineCreateInfo& info,
              PipelineState* state) {
  const bool discards = MayDiscard(info);
  if (info.renderPass != VK_NULL_HANDLE) {
    const auto* pass =
        FindPart<RenderPassState>(call, ObjectKind::kRenderPass, HandleOf(info.renderPass));
    if (pass == nullptr || info.subpass >= pass->pass_info->subpasses.size()) return;
    state->compatibility = pass->pass_info->compatibility;
    state->subpass = info.subpass;
    if (!discards) CheckSamples(call, handle, SamplesOf(info), *pass->pass_info, info.subpass);
    return;
  }
  // Without rasterization the formats are ignored.
  if (discards) return;
  auto formats = std::make_unique<RenderingFormats>();
  if (const auto* given = FindInChain<VkPipelineRenderingCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)) {
    if (given->colorAttachmentCount != 0 && given->pColorAttachmentFormats == nullptr) return;
    formats->colors.assign(given->pColorAttachmentFormats,
                           given->pColorAttachmentFormats + given->colorAttachmentCount);
    formats->depth = given->depthAttachmentFormat;
    formats->stencil = given->stencilAttachmentFormat;
    formats->views = given->viewMask;
  }
  formats->samples = call.device().mixes_samples ? 0 : SamplesOf(info);
  state->compatibility = formats->Compatibility();
  state->formats = std::move(formats);
}

// Whether it is a pipeline library, or linked from libraries: the state of the other parts is not
// in `info`, and pointers in `info` may be invalid.
bool IsInParts(const VkGraphicsPipelineCreateInfo& info) {
  const auto* parts = FindInChain<VkPipelineLibraryCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  return (FlagsOf(info) & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0 ||
         (parts != nullptr && parts->libraryCount != 0);
}

// Notes what draws read of an attribute that the vertex shader declares. Elements that depend on
// structures in the chain are unknown. `position`: as in VertexInput.
void NoteAttribute(const VkGraphicsPipelineCreateInfo& info,
                   const VkVertexInputAttributeDescription& attribute, bool position,
                   PipelineState* state) {
  const VkPipelineVertexInputStateCreateInfo& input = *info.pVertexInputState;
  const FormatBlock block = BlockOf(attribute.format, VK_IMAGE_ASPECT_COLOR_BIT);
  if (input.pNext != nullptr || block.bytes == 0 || block.width != 1 ||
      input.pVertexBindingDescriptions == nullptr)
    return;
  const bool dynamic = IsDynamic(info, {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE});
  for (uint32_t i = 0; i < input.vertexBindingDescriptionCount; ++i) {
    const VkVertexInputBindingDescription& binding = input.pVertexBindingDescriptions[i];
    if (binding.binding != attribute.binding) continue;
    state->vertex_inputs.push_back({attribute.location, binding.binding,
                                    dynamic ? 0 : binding.stride,
                                    uint64_t{attribute.offset} + block.bytes,
                                    binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE, position,
                                    attribute.offset, UnitOf(attribute.format), dynamic});
  }
}

// Whether the numbers of an attribute surely have another type than those of the shader's input.
bool HasOtherNumbers(const StageValues& vertex,
                     const VkVertexInputAttributeDescription& attribute) {
  if (attribute.location >= 64 || BlockOf(attribute.format, VK_IMAGE_ASPECT_COLOR_BIT).bytes == 0)
    return false;
  const uint64_t others = HasIntegers(attribute.format, VK_IMAGE_ASPECT_COLOR_BIT)
                              ? vertex.float_inputs
                              : vertex.integer_inputs;
  return (others >> attribute.location & 1) != 0;
}

// Adds findings if the vertex shader declares an input for which there is no attribute, or one with
// numbers of another type.
void CheckAttributes(VkCall& call, VkPipeline handle, const StageValues& vertex,
                     const VkPipelineVertexInputStateCreateInfo& input) {
  const Features& features = call.device().features;
  const Object* object = nullptr;
  const auto report = [&](rules::SyncStateUse::Fault fault, std::string what, std::string other) {
    if (object == nullptr)
      object = call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPipeline, HandleOf(handle));
    if (object != nullptr) ReportSync(call, *object, fault, std::move(what), std::move(other));
  };
  uint64_t locations = features.unbound_attributes ? 0 : vertex.inputs;
  for (uint32_t i = 0; i < input.vertexAttributeDescriptionCount; ++i) {
    const VkVertexInputAttributeDescription& attribute = input.pVertexAttributeDescriptions[i];
    if (attribute.location < 64) locations &= ~(uint64_t{1} << attribute.location);
    if (HasOtherNumbers(vertex, attribute) && !features.legacy_vertices) [[unlikely]]
      report(rules::SyncStateUse::Fault::kInputOfOtherType, absl::StrCat(attribute.location),
             FormatName(attribute.format));
  }
  if (locations != 0) [[unlikely]]
    report(rules::SyncStateUse::Fault::kInputWithoutAttribute,
           absl::StrCat(std::countr_zero(locations)), "");
}

// Whether `info` has the vertex input state: a vertex shader needs it, and it is not dynamic.
bool SaysVertexInput(const VkGraphicsPipelineCreateInfo& info) {
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    if (info.pStages[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
      return !IsDynamic(info, {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT});
  }
  return false;
}

}  // namespace

const PipelineState& PipelineOf(const PlainObject& pipeline) {
  static const PipelineState* const unknown = [] {
    PipelineState* made = PipelineState::New();
    made->incomplete = true;
    return made;
  }();
  const auto* state = DescriptionOf<PipelineState>(&pipeline);
  return state != nullptr ? *state : *unknown;
}

void PipelineState::Reset() {
  incomplete = false;
  bindings.clear();
  ranges.reset();
  vertex_ranges.reset();
  fragment_ranges.reset();
  restarts = takes_no_base = false;
  captures = 0;
  needed_sets = 0;
  push_stages = 0;
  push_needs.clear();
  set_identities.clear();
  compatible.clear();
  vertex_bindings = needed_vertices = 0;
  vertex_inputs.clear();
  input_locations = position_locations = 0;
  compatibility = 0;
  subpass = 0;
  formats.reset();
  attachments = 0;
  draw_state = DrawState();
  ordered_inputs = false;
  dynamic_tests = 0;
  enabled_writes = 0;
  used.Clear();
}

AttachmentUses PipelineState::UsesOf(const Bindings& bindings) const {
  AttachmentUses uses = attachments;
  const uint64_t off = dynamic_tests & ~bindings.on_state;
  if ((off & kSetsDepthTest) != 0) uses &= ~(kDepthRead | kDepthWritten);
  if ((off & kSetsDepthWrite) != 0) uses &= ~kDepthWritten;
  if ((off & kSetsStencilTest) != 0) uses &= ~(kStencilRead | kStencilWritten);
  return uses;
}

uint32_t PipelineState::WritesOf(const Bindings& bindings) const {
  const uint64_t off = dynamic_tests & ~bindings.on_state;
  uint32_t writes = enabled_writes;
  if ((off & (kSetsDepthTest | kSetsDepthWrite)) != 0) writes &= ~VK_IMAGE_ASPECT_DEPTH_BIT;
  if ((off & kSetsStencilTest) != 0) writes &= ~VK_IMAGE_ASPECT_STENCIL_BIT;
  return writes;
}

PipelineState::VertexBindings PipelineState::SetBindingsOf(const Bindings& bindings) const {
  VertexBindings found;
  ForEachInput(bindings, [&](const VertexInput& input) {
    if (input.binding < 32) found.read |= uint32_t{1} << input.binding;
  });
  found.needed = found.read;
  return found;
}

void CreateShaderModule::After(VkCall& call, VkResult code, VkDevice,
                               const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                               VkShaderModule* handle) {
  if (code != VK_SUCCESS) return;
  auto* state = KeepDescribed<ShaderModuleState>(call, ObjectKind::kProgram, HandleOf(*handle));
  if (state == nullptr) return;
  state->module = std::make_shared<ShaderModule>(ReadShaderModule(info->pCode, info->codeSize / 4));
  const auto& entries = state->module->entry_points;
  const bool addresses = HasAddresses(absl::MakeSpan(info->pCode, info->codeSize / 4));
  if (std::ranges::any_of(entries, [&](const EntryPoint& entry) {
        return entry.stage == VK_SHADER_STAGE_COMPUTE_BIT ||
               (addresses && (entry.stage == VK_SHADER_STAGE_VERTEX_BIT ||
                              entry.stage == VK_SHADER_STAGE_FRAGMENT_BIT));
      }))
    state->code.assign(info->pCode, info->pCode + info->codeSize / 4);
}

void CreateComputePipelines::Before(VkCall& call, VkDevice, VkPipelineCache cache, uint32_t count,
                                    const VkComputePipelineCreateInfo* infos,
                                    const VkAllocationCallbacks*, VkPipeline*) {
  UseCache(call, cache, "pipelineCache");
  for (uint32_t i = 0; infos != nullptr && i < count; ++i) {
    if (!HasNoSets(infos[i]))
      CheckStage(call, infos[i].stage, infos[i].layout, "VkComputePipelineCreateInfo");
  }
}

void CreateComputePipelines::After(VkCall& call, VkResult, VkDevice, VkPipelineCache,
                                   uint32_t count, const VkComputePipelineCreateInfo* infos,
                                   const VkAllocationCallbacks*, VkPipeline* pipelines) {
  // If some creations fail, the other pipelines are created.
  for (uint32_t i = 0; i < count; ++i) {
    PipelineState* state = KeepPipeline(call, pipelines[i]);
    if (state == nullptr) continue;
    state->takes_no_base = (FlagsOf(infos[i]) & VK_PIPELINE_CREATE_DISPATCH_BASE_BIT) == 0;
    const StageValues values = AddStage(call, infos[i].stage, state);
    NoteContentOfDispatch(values.flow, state);
    AddRanges(call, infos[i].stage, state);
    NoteSets(call, pipelines[i], infos[i], state);
  }
}

namespace {

// The creation uses the libraries of the pipeline.
void UseLibraries(VkCall& call, const VkGraphicsPipelineCreateInfo& info) {
  const auto* libraries = FindInChain<VkPipelineLibraryCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  if (libraries == nullptr || libraries->pLibraries == nullptr) [[likely]]
    return;
  for (uint32_t i = 0; i < libraries->libraryCount; ++i)
    UseHandle(call, ObjectKind::kPipeline, HandleOf(libraries->pLibraries[i]), "pLibraries[]");
}

}  // namespace

void CreateGraphicsPipelines::Before(VkCall& call, VkDevice, VkPipelineCache cache, uint32_t count,
                                     const VkGraphicsPipelineCreateInfo* infos,
                                     const VkAllocationCallbacks*, VkPipeline*) {
  UseCache(call, cache, "pipelineCache");
  for (uint32_t i = 0; i < count; ++i) {
    UseLibraries(call, infos[i]);
    if (IsInParts(infos[i])) continue;
    if (infos[i].stageCount != 0 && infos[i].pStages == nullptr) {
      rules::OnNullArgument({"VkGraphicsPipelineCreateInfo", "pStages", false,
                             "VUID-VkGraphicsPipelineCreateInfo-pStages-06600"},
                            call);
      continue;
    }
    const Attached attached = AttachedTo(call, infos[i]);
    const ReadState read = {!MayDiscard(infos[i]), attached.color, attached.depth};
    CheckPipelineFeatures(call, infos[i], read);
    CheckPipelineParts(call, infos[i], read);
    for (uint32_t j = 0; j < infos[i].stageCount; ++j) {
      const VkPipelineShaderStageCreateInfo& stage = infos[i].pStages[j];
      if (stage.pName == nullptr)
        rules::OnNullArgument({"VkPipelineShaderStageCreateInfo", "pName"}, call);
      const bool runs = stage.stage != VK_SHADER_STAGE_FRAGMENT_BIT || !MayDiscard(infos[i]);
      if (runs && !HasNoSets(infos[i]))
        CheckStage(call, stage, infos[i].layout, "VkGraphicsPipelineCreateInfo");
    }
  }
}

void CreateRayTracingPipelines::After(VkCall& call, VkResult code, VkDevice, VkDeferredOperationKHR,
                                      VkPipelineCache, uint32_t count,
                                      const VkRayTracingPipelineCreateInfoKHR* infos,
                                      const VkAllocationCallbacks*, VkPipeline* pipelines) {
  // A deferred creation returns no handles here.
  if (code == VK_OPERATION_DEFERRED_KHR || pipelines == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) {
    PipelineState* state = KeepPipeline(call, pipelines[i]);
    if (state == nullptr) continue;
    if (infos[i].stageCount != 0 && infos[i].pStages == nullptr) {
      state->incomplete = true;
      continue;
    }
    for (uint32_t j = 0; j < infos[i].stageCount; ++j) AddStage(call, infos[i].pStages[j], state);
    const VkPipelineLibraryCreateInfoKHR* libraries = infos[i].pLibraryInfo;
    for (uint32_t j = 0; libraries != nullptr && j < libraries->libraryCount; ++j) {
      const auto* library =
          FindPart<PipelineState>(call, ObjectKind::kPipeline, HandleOf(libraries->pLibraries[j]));
      if (library == nullptr) {
        state->incomplete = true;
        continue;
      }
      state->incomplete |= library->incomplete;
      state->bindings.insert(state->bindings.end(), library->bindings.begin(),
                             library->bindings.end());
    }
  }
}

void CreateOtherPipelines::Keep(VkCall& call, VkResult code, uint32_t count,
                                const VkPipeline* pipelines) {
  if (code < VK_SUCCESS || pipelines == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) {
    if (PipelineState* state = KeepPipeline(call, pipelines[i]); state != nullptr)
      state->incomplete = true;
  }
}

void CreateGraphicsPipelines::After(VkCall& call, VkResult, VkDevice, VkPipelineCache,
                                    uint32_t count, const VkGraphicsPipelineCreateInfo* infos,
                                    const VkAllocationCallbacks*, VkPipeline* pipelines) {
  for (uint32_t i = 0; i < count; ++i) {
    PipelineState* state = KeepPipeline(call, pipelines[i]);
    if (state == nullptr) continue;
    if (IsInParts(infos[i]) || (infos[i].stageCount != 0 && infos[i].pStages == nullptr)) {
      state->incomplete = true;
      continue;
    }
    StageValues vertex, fragment;
    StagesOfDraw stages;
    for (uint32_t j = 0; j < infos[i].stageCount; ++j) {
      StageValues values = AddStage(call, infos[i].pStages[j], state);
      stages.push_back({infos[i].pStages[j].stage, values.entry});
      if (infos[i].pStages[j].stage == VK_SHADER_STAGE_VERTEX_BIT) {
        vertex = std::move(values);
      } else if (infos[i].pStages[j].stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
        fragment = std::move(values);
      }
      AddDrawRanges(call, infos[i], infos[i].pStages[j], state);
    }
    // Without rasterization the fragment shader does not run.
    const bool discards = MayDiscard(infos[i]);
    if (discards) {
      state->fragment_ranges.reset();
      for (PipelineBinding& used : state->bindings)
        used.specialized |= used.stages == VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
      state->push_stages &= ~VkShaderStageFlags{VK_SHADER_STAGE_FRAGMENT_BIT};
      std::erase_if(state->push_needs, [](const PushNeed& need) {
        return need.stage == VK_SHADER_STAGE_FRAGMENT_BIT;
      });
    }
    CheckInterfaces(call, pipelines[i], !discards, &stages);
    NoteSets(call, pipelines[i], infos[i], state);
    AddAttachmentUses(call, infos[i], state);
    NotePass(call, pipelines[i], infos[i], state);
    if (!discards && vertex.fixed && !AttachedTo(call, infos[i]).depth)
      NoteContentOfDraw(fragment.flow, infos[i], state);
    if (state->draw_state.vertices_last) state->captures = vertex.captures;
    const bool positions = !discards && state->draw_state.vertices_last;
    if (IsDynamic(infos[i], {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT})) {
      state->input_locations = vertex.inputs;
      state->position_locations = positions ? vertex.flow.positions : 0;
    }
    const VkPipelineVertexInputStateCreateInfo* input = infos[i].pVertexInputState;
    if (input == nullptr || !SaysVertexInput(infos[i])) continue;
    const bool given = input->pVertexAttributeDescriptions != nullptr;
    if (given || input->vertexAttributeDescriptionCount == 0)
      CheckAttributes(call, pipelines[i], vertex, *input);
    if (!given) continue;
    for (uint32_t j = 0; j < input->vertexAttributeDescriptionCount; ++j) {
      const VkVertexInputAttributeDescription& attribute = input->pVertexAttributeDescriptions[j];
      if (attribute.binding >= 32) continue;
      state->vertex_bindings |= uint32_t{1} << attribute.binding;
      if (attribute.location >= 64 || (vertex.inputs >> attribute.location & 1) == 0) continue;
      state->needed_vertices |= uint32_t{1} << attribute.binding;
      const bool position = positions && (vertex.flow.positions >> attribute.location & 1) != 0;
      NoteAttribute(infos[i], attribute, position, state);
    }
  }
}

}  // namespace gpusan::vulkan
