// Sizes and names of image formats.
#pragma once

#include <vulkan/vulkan_core.h>

#include <string>

#include "tracker/objects/object.h"

namespace gpusan::vulkan {

// The texel block of one plane or aspect, as copies between buffers and images count it.
struct FormatBlock {
  uint8_t bytes = 0;  // of a texel block; 0: unknown format, which no rule checks
  uint8_t width = 1, height = 1, depth = 1;  // texels
};

// `aspect`: one bit. Depth and stencil have the sizes of copies (Vulkan 1.3 §20.3).
FormatBlock BlockOf(VkFormat format, VkImageAspectFlags aspect);
// The power of two whose multiples the addresses of vertex attributes of the format are (Vulkan 1.3
// §22.4): the size of a component, or of the whole texel if the format is packed.
struct AttributeUnit {
  uint8_t bytes = 1;  // 1: also if it is not known
  bool packed = false;
};
AttributeUnit UnitOf(VkFormat format);

// The aspects of images of the format.
VkImageAspectFlags AspectsOf(VkFormat format);
uint32_t ChannelsOf(VkFormat format);
// Whether shaders read the aspects of the format as integers.
bool HasIntegers(VkFormat format, VkImageAspectFlags aspects);

// All three: the facts of a format that each creation of an image needs.
struct FormatFacts {
  FormatBlock block;  // of the color aspect
  uint16_t channels = 0;
  uint16_t aspects = 0;  // VkImageAspectFlags
};
FormatFacts FactsOf(VkFormat format);
// "VK_FORMAT_R8G8B8A8_UNORM"
std::string FormatName(VkFormat format);
// Formats with the same channels and `texel_bytes` bytes a texel, "VK_FORMAT_R8G8B8A8_UNORM or
// ..."; empty: no format fits.
std::string FittingFormats(VkFormat format, uint64_t texel_bytes);

// "VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL"
std::string LayoutName(uint32_t layout);
// "VK_PIPELINE_STAGE_2_COPY_BIT | ...", without the members of groups. In texts for the program's
// developers, use sync_names.h.
std::string StagesText(uint64_t stages);
std::string AccessText(uint64_t access);
// "VK_BUFFER_USAGE_TRANSFER_SRC_BIT | ..."
std::string BufferUsageText(VkBufferUsageFlags usage);
std::string ImageUsageText(VkImageUsageFlags usage);
// "VK_SHADER_STAGE_VERTEX_BIT | ..."
std::string ShaderStagesText(VkShaderStageFlags stages);
std::string RenderingFlagText(VkRenderingFlags flags);
std::string ResultName(VkResult code);

}  // namespace gpusan::vulkan
