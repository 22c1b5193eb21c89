// The accesses of a pipeline's shaders to the resources that descriptors name.
#include "hooks/vulkan/shaders/shader_uses.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
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

std::optional<ImagePart> WrittenPart(const PipelineBinding& used, const ShaderTexels& texels,
                                     const Descriptor& descriptor, const DispatchInputs& inputs) {
  constexpr uint8_t kDims[] = {1 << spv::Dim1D, 1 << spv::Dim2D, 1 << spv::Dim3D};
  const Resource* image = descriptor.resource.get();
  const Groups& groups = inputs.groups;
  if (image == nullptr || image->image == nullptr || !descriptor.extent.is_image || groups.x == 0 ||
      groups.y == 0 || groups.z == 0)
    return std::nullopt;
  ImagePart part = descriptor.extent.part;
  if (!part.whole() || part.mips != 1) return std::nullopt;
  const ImageState& state = ImageOf(*image);
  // The third coordinate of an image of two dimensions is the layer.
  const bool layered = texels.coordinates == 3 && used.dims == kDims[1];
  if (!layered && (used.dims != kDims[texels.coordinates - 1] || part.layers != 1))
    return std::nullopt;
  if (state.is_3d != (used.dims == kDims[2])) return std::nullopt;
  const VkExtent3D level = state.ExtentOf(part.first_mip);
  uint64_t first[3] = {0, 0, 0}, last[3] = {1, 1, 1};
  const uint64_t most[3] = {level.width, level.height, layered ? part.layers : level.depth};
  const uint32_t counts[3] = {groups.x, groups.y, groups.z};
  const uint32_t bases[3] = {inputs.base.x, inputs.base.y, inputs.base.z};
  for (uint32_t i = 0; i < texels.coordinates; ++i) {
    const ShaderTexels::Coordinate& at = texels.at[i];
    const bool constant = at.axis == ShaderTexels::Coordinate::kConstant;
    first[i] = at.first + (constant ? 0 : uint64_t{bases[at.axis]} * at.size);
    last[i] = std::min(first[i] + (constant ? 1 : uint64_t{counts[at.axis]} * at.size), most[i]);
    if (first[i] >= last[i]) return std::nullopt;
  }
  for (int i = 0; i < (layered ? 2 : 3); ++i) {
    part.origin[i] = static_cast<uint32_t>(first[i]);
    part.extent[i] = static_cast<uint32_t>(last[i] - first[i]);
  }
  if (layered) {
    part.extent[2] = 1;
    part.first_layer += static_cast<uint32_t>(first[2]);
    part.layers = static_cast<uint32_t>(last[2] - first[2]);
  }
  return part;
}

}  // namespace gpusan::vulkan
