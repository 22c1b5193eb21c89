// The accesses of a pipeline's shaders to the resources that descriptors name.
#include "hooks/vulkan/shaders/shader_uses.h"

#include <string_view>

namespace gpusan::vulkan {
namespace {

// The access of a shader's read through a descriptor of the type.
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
    case VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR:
      return VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
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

}  // namespace

DispatchUses::DispatchUses(const PipelineState& pipeline, const DispatchInputs& inputs,
                           uint32_t index, const SetLayout& layout,
                           const std::vector<Descriptor>& descriptors) {
  if (pipeline.ranges == nullptr) return;
  may_not_run_ = inputs.groups.x == 0;
  if (may_not_run_) return;
  ranges_ = pipeline.ranges.get();
  // Those of other sets are not known here.
  uses_ = ranges_->UsesOf(inputs, [&](uint32_t set, uint32_t number) -> uint64_t {
    const LayoutBinding* binding = set == index ? layout.Find(number) : nullptr;
    if (binding == nullptr || binding->first >= descriptors.size()) return 0;
    const Extent& extent = descriptors[binding->first].extent;
    return !extent.is_image && extent.region.linear() ? extent.region.width : 0;
  });
}

KnownBytes DispatchUses::Narrow(const PipelineBinding& used, bool write, Extent* extent) const {
  const LaunchUses* uses = Find(used);
  if (uses == nullptr || extent->is_image) return KnownBytes::kNothing;
  return vulkan::Narrow(*uses, write, &extent->region);
}

bool RunsSurely(const CallInfo& dispatch) {
  return std::string_view(dispatch.name).find("Indirect") == std::string_view::npos;
}

ShaderAccess ShaderAccessOf(const PipelineBinding& used, VkDescriptorType type) {
  const bool writes = used.writes && MayBeWritten(type);
  // Atomic operations may overlap. Recorded as writes only, they conflict with everything but
  // writes of other shaders.
  return {!writes || (used.reads && !used.atomic), writes, ReadAccess(type)};
}

}  // namespace gpusan::vulkan
