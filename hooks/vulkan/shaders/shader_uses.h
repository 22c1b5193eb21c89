// The accesses of a pipeline's shaders to the resources that descriptors name.
#pragma once

#include <optional>

#include "absl/types/span.h"
#include "hooks/vulkan/shaders/pipelines.h"

namespace gpusan::vulkan {

// The accesses of a pipeline to the resource of a descriptor.
struct ShaderAccess {
  bool reads, writes;
  uint64_t read;  // VkAccessFlagBits2
};
ShaderAccess ShaderAccessOf(const PipelineBinding& used, VkDescriptorType type);

// The uses of the buffers of a set by a dispatch, if its pipeline and its groups are known.
class DispatchUses {
 public:
  DispatchUses() = default;
  DispatchUses(const PipelineState& pipeline, const DispatchInputs& inputs, uint32_t index,
               const SetLayout& layout, const std::vector<Descriptor>& descriptors);

  // The number of groups is unknown and may be 0.
  bool may_not_run() const { return may_not_run_; }
  const LaunchUses* Find(const PipelineBinding& used) const {
    return ranges_ != nullptr && !used.array && used.element == ShaderBinding::kAll
               ? ranges_->Find(uses_, used.set, used.binding)
               : nullptr;
  }
  // Narrows the reads, or writes, of a descriptor to what is known.
  KnownBytes Narrow(const PipelineBinding& used, bool write, Extent* extent) const;

 private:
  const DispatchRanges* ranges_ = nullptr;
  DispatchRanges::Uses uses_;
  bool may_not_run_ = false;
};

// Returns whether the dispatch surely runs its shader. A dispatch with parameters in a buffer may
// have no workgroup.
bool RunsSurely(const CallInfo& dispatch);

// Whether a result of the draw or dispatch surely depends on the content of the descriptor's image
// or buffer.
inline bool UsesContent(const PipelineBinding& used, const Descriptor& descriptor,
                        const Features& features) {
  // Conditional rendering may skip the command.
  return used.content_used &&
         (!descriptor.extent.is_image ||
          descriptor.extent.part.aspects == VK_IMAGE_ASPECT_COLOR_BIT) &&
         (features.lacking_stages & VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT) != 0;
}

// Calls visit(const Region&) for the bytes of the descriptor's buffer that the shader surely
// writes. `offset`: the dynamic offset of the descriptor [bytes].
template <typename Visitor>
void ForEachWritten(const PipelineBinding& used, const Descriptor& descriptor, uint64_t offset,
                    Visitor visit) {
  if (descriptor.extent.is_image || !descriptor.extent.region.linear()) return;
  const Region& all = descriptor.extent.region;
  for (const ShaderBytes& bytes : used.written) {
    // A robust shader writes nothing outside of the range.
    if (bytes.offset <= all.width && bytes.width <= all.width - bytes.offset)
      visit(Region::Linear(all.offset + offset + bytes.offset, bytes.width));
  }
}

// The part of the descriptor's image to which a dispatch surely writes these texels; nullopt: it is
// not known, or empty. Texels outside of the image are not written.
std::optional<ImagePart> WrittenPart(const PipelineBinding& used, const ShaderTexels& texels,
                                     const Descriptor& descriptor, const DispatchInputs& inputs);

// Calls visit(const PipelineBinding&, const LayoutBinding&, const Descriptor&, uint64_t offset) for
// each descriptor that the pipeline uses, or may use, of its set number `index`. `offsets`: the
// dynamic offsets, in the order of bindings and array elements. `offset`: the descriptor's dynamic
// offset in bytes, or 0.
template <typename Visitor>
void ForEachUsed(const PipelineState& pipeline, uint32_t index, const SetLayout& layout,
                 const std::vector<Descriptor>& descriptors, absl::Span<const uint32_t> offsets,
                 Visitor visit) {
  for (const PipelineBinding& used : pipeline.bindings) {
    if (used.set != index) continue;
    const LayoutBinding* binding = layout.Find(used.binding);
    if (binding == nullptr) continue;
    size_t dynamic = offsets.size();
    if (!offsets.empty() && IsDynamic(binding->type)) {
      dynamic = 0;
      for (const LayoutBinding& before : layout.bindings) {
        if (before.binding < binding->binding && IsDynamic(before.type)) dynamic += before.count;
      }
    }
    // A variable that is no array is the first descriptor.
    const uint32_t first = used.element == ShaderBinding::kAll ? 0 : used.element;
    const uint32_t end = used.array ? binding->count : std::min(first + 1, binding->count);
    for (uint32_t i = first; i < end && binding->first + i < descriptors.size(); ++i) {
      visit(used, *binding, descriptors[binding->first + i],
            uint64_t{dynamic + i < offsets.size() ? offsets[dynamic + i] : 0});
    }
  }
}

}  // namespace gpusan::vulkan
