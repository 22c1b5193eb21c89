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
