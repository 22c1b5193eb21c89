// Finds the bytes of buffers that the shaders of pipelines access.
#include "hooks/vulkan/shaders/shader_ranges.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/needed_state.h"

namespace gpusan::vulkan {
namespace {

// The code of a stage; empty: not known.
absl::Span<const uint32_t> CodeOf(VkCall& call, const VkPipelineShaderStageCreateInfo& stage) {
  absl::Span<const uint32_t> code;
  if (stage.module != VK_NULL_HANDLE) {
    if (auto* known =
            FindPart<ShaderModuleState>(call, ObjectKind::kProgram, HandleOf(stage.module)))
      code = known->code;
  } else if (const auto* given = FindInChain<VkShaderModuleCreateInfo>(
                 stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    code = absl::MakeSpan(given->pCode, given->codeSize / 4);
  }
  return code;
}

bool HasCapability(absl::Span<const uint32_t> code, std::initializer_list<uint32_t> any) {
  constexpr size_t kHeader = 5;
  constexpr uint32_t kCapability = 2 << 16 | 17;  // an OpCapability of two words
  for (size_t i = kHeader; i + 1 < code.size() && code[i] == kCapability; i += 2) {
    if (std::ranges::find(any, code[i + 1]) != any.end()) return true;
  }
  return false;
}

// Whether the accesses of fragments to the same pixel may be ordered.
bool MayInterlock(absl::Span<const uint32_t> code) {
  // FragmentShaderSampleInterlockEXT, -ShadingRateInterlockEXT and -PixelInterlockEXT
  return HasCapability(code, {5363, 5372, 5378});
}

// Whether each three vertices of a draw surely make a triangle, or are part of more.
bool DrawsTriangles(const VkGraphicsPipelineCreateInfo& info) {
  const VkPipelineInputAssemblyStateCreateInfo* assembly = info.pInputAssemblyState;
  return assembly != nullptr && !IsDynamic(info, {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY}) &&
         (assembly->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ||
          assembly->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
          assembly->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
}

// Whether indices may stand for no vertex. Precondition: DrawsTriangles.
bool MayRestart(const VkGraphicsPipelineCreateInfo& info) {
  return info.pInputAssemblyState->primitiveRestartEnable != VK_FALSE ||
         IsDynamic(info, {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE});
}

// Reads again which texels the shader writes, with the constants of the pipeline.
void ReadTexels(absl::Span<const uint32_t> code, const VkPipelineShaderStageCreateInfo& stage,
                std::vector<PipelineBinding>* bindings) {
  for (PipelineBinding& binding : *bindings) binding.texels.clear();
  const auto constants = SpecializationOf(stage.pSpecializationInfo);
  if (!constants || stage.pName == nullptr) return;
  const SpirvCode shader(code, *constants);
  for (const SpirvCode::Entry& entry : shader.entries()) {
    if (entry.model == spv::ExecutionModelGLCompute && entry.name == stage.pName)
      AddTexels(shader, entry.function, bindings);
  }
}

}  // namespace

bool HasAddresses(absl::Span<const uint32_t> code) {
  return HasCapability(code, {5347});  // PhysicalStorageBufferAddresses
}

void AddRanges(VkCall& call, const VkPipelineShaderStageCreateInfo& stage, PipelineState* state) {
  if (state->incomplete) return;
  const absl::Span<const uint32_t> code = CodeOf(call, stage);
  state->ranges = DispatchRanges::Read(code, stage.pName, stage.pSpecializationInfo);
  if (stage.pSpecializationInfo != nullptr && std::ranges::any_of(state->bindings, WritesImage))
    ReadTexels(code, stage, &state->bindings);
  state->stores_texels = std::ranges::any_of(
      state->bindings, [](const PipelineBinding& binding) { return !binding.texels.empty(); });
}

void AddDrawRanges(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                   const VkPipelineShaderStageCreateInfo& stage, PipelineState* state) {
  if (!call.device().features.buffer_addresses) return;
  const bool vertices = stage.stage == VK_SHADER_STAGE_VERTEX_BIT;
  // Of other primitives it is not known which of their vertices run the shader.
  if (vertices ? !DrawsTriangles(info) : stage.stage != VK_SHADER_STAGE_FRAGMENT_BIT) return;
  const absl::Span<const uint32_t> code = CodeOf(call, stage);
  if (!HasAddresses(code) || (!vertices && MayInterlock(code))) return;
  auto ranges = DispatchRanges::ReadDraws(code, stage.pName, stage.pSpecializationInfo,
                                          vertices ? SpirvStage::kVertex : SpirvStage::kFragment);
  if (ranges == nullptr) return;
  if (vertices) state->restarts = MayRestart(info);
  (vertices ? state->vertex_ranges : state->fragment_ranges) = std::move(ranges);
  draw_addresses_known.store(true, std::memory_order_relaxed);
}

}  // namespace gpusan::vulkan
