// Checks that bound descriptor sets fit the pipelines that use them.
#pragma once

#include <iterator>

#include "hooks/vulkan/memory/samplers.h"
#include "hooks/vulkan/shaders/pipelines.h"
#include "tracker/rules/events/descriptor_use.h"

namespace gpusan::vulkan {

// Adds findings for descriptors and push constants that the entry point of a shader statically
// uses, and that the layout of its pipeline lacks or has for other stages or types.
// `pipeline_info`: the structure that creates the pipeline, "VkComputePipelineCreateInfo".
void CheckShaderLayout(VkCall& call, const EntryPoint& entry, VkPipelineLayout layout,
                       const char* pipeline_info);

// Reports the descriptor sets (MissingSets) and the push constants that a command lacks.
[[gnu::noinline, gnu::cold]] void ReportMissingSets(Call& call, const PlainObject& pipeline,
                                                    uint32_t missing, const Bindings& bindings);

// Returns whether the shaders use the set number `index`, and its layout is surely not defined as
// that of the pipeline.
inline bool IsIncompatible(const PipelineState& pipeline, uint32_t index, const SetLayout& layout) {
  if (index >= pipeline.set_identities.size() || layout.identity == 0) return false;
  const uint64_t identity = pipeline.set_identities[index];
  return identity != 0 && identity != layout.identity && index < 31 &&
         (pipeline.needed_sets >> index & 1) != 0;
}
[[gnu::noinline, gnu::cold]] void ReportIncompatible(Call& call, const PlainObject& pipeline,
                                                     const PlainObject& set, uint32_t index);

// Returns whether the shaders use the set number `index`, and it was surely bound with a pipeline
// layout that is not compatible, for this set, with the layout of the pipeline.
inline bool IsOfOtherLayout(const PipelineState& pipeline, uint32_t index, const BoundSet& bound,
                            const SetLayout& layout) {
  if (bound.compatible == 0 || index >= pipeline.compatible.size()) return false;
  const uint32_t compatible = pipeline.compatible[index];
  return compatible != 0 && compatible != bound.compatible &&
         (pipeline.needed_sets >> index & 1) != 0 && !IsIncompatible(pipeline, index, layout);
}
[[gnu::noinline, gnu::cold]] void ReportOfOtherLayout(Call& call, const PlainObject& pipeline,
                                                      uint32_t index, bool disturbed);

// Return whether the view surely has another dimension, or other numbers (integers instead of
// floats), than the shaders declare for the image.
inline bool IsOfOtherDim(const ShaderBinding& used, const ImageViewState& view) {
  // Dim of SPIR-V: 1D, 2D, 3D, Cube. VkImageViewType has the same order, and then the arrays.
  constexpr uint8_t kDims[] = {0, 1, 2, 3, 0, 1, 3};
  constexpr uint8_t kOfViews = 0xf;
  return used.dims != 0 && (used.dims & ~kOfViews) == 0 && view.type < std::size(kDims) &&
         (used.dims >> kDims[view.type] & 1) == 0;
}
inline bool IsOfOtherNumbers(const ShaderBinding& used, const ImageViewState& view) {
  return used.floats != used.integers && used.integers != view.integers &&
         view.format != VK_FORMAT_UNDEFINED;
}

// Returns whether the shaders use only the sampler of the descriptor, with images of others.
inline bool IsSamplerAlone(const PipelineBinding& used) { return used.kinds == kSamplers; }

// Returns whether the shaders surely use the descriptor, and nothing has written it.
inline bool IsNeverWritten(const PipelineBinding& used, const LayoutBinding& binding,
                           const Descriptor& descriptor) {
  return !descriptor.written && !used.array && !used.specialized && (used.reads || used.writes) &&
         binding.IsWrittenEarly();
}
[[gnu::noinline, gnu::cold]] void ReportNeverWritten(Call& call, const PlainObject& set,
                                                     const ShaderBinding& used);

// Returns IsOfOtherDim or IsOfOtherNumbers for the view that the descriptor names.
inline bool IsOfOtherShape(const PipelineBinding& used, const Descriptor& descriptor) {
  const PlainObject* object = descriptor.view.get();
  if (object == nullptr || object->kind != ObjectKind::kImageView) return false;
  const auto* view = DescriptionOf<ImageViewState>(object);
  return view != nullptr && (IsOfOtherDim(used, *view) || IsOfOtherNumbers(used, *view));
}
// Returns whether CheckUnnormalized may add a finding.
inline bool MayBeUnnormalized(const PipelineBinding& used) {
  return used.sampling != 0 && unnormalized_samplers.load(std::memory_order_relaxed) &&
         !used.array && !used.specialized;
}
// Adds a finding if the descriptor has a sampler with unnormalized coordinates, and the shaders
// surely sample with it in a way that such samplers do not support. `set`: nullptr for pushed
// descriptors.
[[gnu::noinline, gnu::cold]] void CheckUnnormalized(Call& call, const PlainObject* set,
                                                    const PipelineBinding& used,
                                                    const Descriptor& descriptor);
// `set`: nullptr for pushed descriptors.
[[gnu::noinline, gnu::cold]] void ReportOfOtherShape(Call& call, const PlainObject* set,
                                                     const PipelineBinding& used,
                                                     const Descriptor& descriptor);

}  // namespace gpusan::vulkan
