// Shaders and pipelines: which descriptors and attachments they use.
#pragma once

#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/vulkan/memory/descriptors.h"
#include "hooks/vulkan/shaders/bound_state.h"
#include "hooks/vulkan/shaders/needed_state.h"
#include "hooks/vulkan/spirv/dispatch_ranges.h"
#include "hooks/vulkan/spirv/spirv_reader.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {

struct ShaderModuleState final : Pooled<ShaderModuleState, Described> {
  std::shared_ptr<const ShaderModule> module;
  // The words of a module with a compute shader, which pipelines specialize.
  std::vector<uint32_t> code;
  void Reset() {
    module.reset();
    code = {};
  }
};

struct PipelineLayoutState final : Pooled<PipelineLayoutState, Described> {
  std::vector<std::shared_ptr<const SetLayout>> sets;
  std::vector<VkPushConstantRange> ranges;
  // The layout is for pipelines that are linked from libraries with different sets.
  bool independent = false;
  // By set number N: layouts with different values are not compatible for set N. 0: unknown.
  std::vector<uint32_t> compatible;
  bool Equals(const PipelineLayoutState& other) const;
  // Computes `compatible`.
  void FindCompatible();
  void Reset() {
    sets.clear();
    ranges.clear();
    independent = false;
    compatible.clear();
  }
};

// A descriptor binding that a stage of a pipeline uses.
struct PipelineBinding : ShaderBinding {
  uint64_t stages = 0;  // VkPipelineStageFlagBits2
  // Constants of the pipeline may remove the use.
  bool specialized = false;
  // A result of each draw or dispatch that runs depends on the content of the image or buffer.
  bool content_used = false;
};

struct PipelineState final : Pooled<PipelineState, HeldState> {
  // The shader of some stage could not be parsed: its writes are unknown.
  bool incomplete = false;
  std::vector<PipelineBinding> bindings;
  // For compute pipelines: created without VK_PIPELINE_CREATE_DISPATCH_BASE_BIT.
  bool takes_no_base = false;
  // For compute pipelines: some of the bindings have texels, whose place depends on the dispatch.
  bool stores_texels = false;
  // For compute pipelines: the bytes of buffers by the size of a dispatch; nullptr: not known.
  std::shared_ptr<const DispatchRanges> ranges;
  // For graphics pipelines: the same of the vertex shader and of the fragment shader, if they have
  // addresses in push constants.
  std::shared_ptr<const DispatchRanges> vertex_ranges, fragment_ranges;
  // The first 8 transform feedback buffers that the vertex shader surely captures to, as the last
  // stage before rasterization. Bits.
  uint8_t captures = 0;
  // With vertex_ranges: an index may stand for no vertex.
  bool restarts = false;
  // The first 31 sets that the shaders use, and kPushConstants; 0 if a missing set may be no
  // defect. Bits.
  uint32_t needed_sets = 0;
  // The stages whose shaders surely read push constants. VkShaderStageFlags.
  VkShaderStageFlags push_stages = 0;
  // The push constants that must be written before a draw or dispatch.
  std::vector<PushNeed> push_needs;
  // SetLayout::identity of the sets in the pipeline's layout; 0: unknown.
  std::vector<uint64_t> set_identities;
  std::vector<uint32_t> compatible;  // as in PipelineLayoutState
  // For graphics pipelines: the vertex buffers that are read.
  uint32_t vertex_bindings = 0;  // bits
  // The vertex bindings that must be bound, because the vertex shader has an input for them. Bits.
  uint32_t needed_vertices = 0;
  std::vector<VertexInput> vertex_inputs;
  // If vkCmdSetVertexInputEXT sets the vertex input: the first 64 locations that the vertex shader
  // declares inputs for, and those of them on which the positions depend. Bits.
  uint64_t input_locations = 0, position_locations = 0;
  // For graphics pipelines: as in PassInstance; 0: unknown.
  uint64_t compatibility = 0;
  uint32_t subpass = 0;
  std::unique_ptr<const RenderingFormats>
      formats;  // of dynamic rendering; nullptr: of a render pass
  // For graphics pipelines: the accesses of draws to their attachments.
  AttachmentUses attachments = 0;
  // For graphics pipelines: the dynamic state; none if the pipeline is not known.
  DrawState draw_state;
  // The aspects of the depth and stencil attachment whose writes are enabled, if dynamic enables
  // are on: also if the test passes never. Of stencil, if both faces have a write mask.
  uint32_t enabled_writes = 0;
  // Draws read input attachments in rasterization order.
  bool ordered_inputs = false;
  // The accesses that happen only if the command buffer has enabled the test or write. Bits of
  // dynamic_states.h.
  uint64_t dynamic_tests = 0;
  void Reset();

  // The accesses of a draw to its attachments, with the dynamic state in `bindings`.
  AttachmentUses UsesOf(const Bindings& bindings) const;
  // The aspects in enabled_writes whose dynamic enables are on.
  uint32_t WritesOf(const Bindings& bindings) const;
  // The vertex buffers that a draw reads, and those of them that must be bound. Bits.
  struct VertexBindings {
    uint32_t read = 0, needed = 0;
  };
  VertexBindings VertexBindingsOf(const Bindings& bindings) const {
    if (input_locations != 0) [[unlikely]]
      return SetBindingsOf(bindings);
    return {vertex_bindings, needed_vertices};
  }
  // Calls visit(const VertexInput&) for each known input of a draw. Those of
  // vkCmdSetVertexInputEXT lack VertexInput::position.
  template <typename Visitor>
  void ForEachInput(const Bindings& bindings, Visitor visit) const {
    if (input_locations == 0) [[likely]] {
      for (const VertexInput& input : vertex_inputs) visit(input);
      return;
    }
    if ((bindings.set_state & kSetsVertexInput) == 0) return;
    for (const VertexInput& input : bindings.inputs) {
      if (input.location < 64 && (input_locations >> input.location & 1) != 0) visit(input);
    }
  }

 private:
  VertexBindings SetBindingsOf(const Bindings& bindings) const;
};

// The description of a pipeline; that of an unknown pipeline if it is unknown.
const PipelineState& PipelineOf(const PlainObject& pipeline);

struct CreateShaderModule {
  AfterOf<PFN_vkCreateShaderModule> After;
};
using DestroyShaderModule = DestroyPlain<ObjectKind::kProgram, VkShaderModule>;
struct CreatePipelineLayout {
  // The set layouts of the call; nullptr for unknown layouts.
  absl::InlinedVector<std::shared_ptr<const SetLayout>, 8> sets;

  BeforeOf<PFN_vkCreatePipelineLayout> Before;
  AfterOf<PFN_vkCreatePipelineLayout> After;
};
using DestroyPipelineLayout = DestroyPlain<ObjectKind::kPipelineLayout, VkPipelineLayout>;
struct CreateComputePipelines {
  BeforeOf<PFN_vkCreateComputePipelines> Before;
  AfterOf<PFN_vkCreateComputePipelines> After;
};
struct CreateGraphicsPipelines {
  BeforeOf<PFN_vkCreateGraphicsPipelines> Before;
  AfterOf<PFN_vkCreateGraphicsPipelines> After;
};
struct CreateRayTracingPipelines {
  AfterOf<PFN_vkCreateRayTracingPipelinesKHR> After;
};
// Pipelines whose shaders are not read: only their existence is tracked.
struct CreateOtherPipelines {
  template <typename Info>
  void After(VkCall& call, VkResult code, VkDevice, VkPipelineCache, uint32_t count, const Info*,
             const VkAllocationCallbacks*, VkPipeline* pipelines) {
    Keep(call, code, count, pipelines);
  }
  // A deferred creation returns no handles here.
  template <typename Info>
  void After(VkCall& call, VkResult code, VkDevice, VkDeferredOperationKHR, VkPipelineCache,
             uint32_t count, const Info*, const VkAllocationCallbacks*, VkPipeline* pipelines) {
    if (code != VK_OPERATION_DEFERRED_KHR) Keep(call, code, count, pipelines);
  }
  static void Keep(VkCall& call, VkResult code, uint32_t count, const VkPipeline* pipelines);
};
using DestroyPipeline = DestroyHeld<ObjectKind::kPipeline, VkPipeline>;

}  // namespace gpusan::vulkan
