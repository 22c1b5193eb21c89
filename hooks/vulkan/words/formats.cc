// See the header. The sizes are those of the Vulkan registry, by way of its generated C++ header.
#include "hooks/vulkan/words/formats.h"

#include <vulkan/vulkan.hpp>
#include <vulkan/vulkan_format_traits.hpp>
#include <vulkan/vulkan_to_string.hpp>

#include <atomic>
#include <bit>
#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/words/sync_masks.h"

namespace gpusan::vulkan {
namespace {

// "TransferDstOptimal" in the spelling of the C header: "TRANSFER_DST_OPTIMAL".
std::string Spelled(const std::string& name) {
  std::string spelled;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    const bool digit = c >= '0' && c <= '9';
    if (i != 0 && (upper || digit)) {
      const char before = name[i - 1];
      const bool after_lower = before >= 'a' && before <= 'z';
      if (after_lower) spelled += '_';
    }
    spelled += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return spelled;
}

// Bits that the headers may lack.
struct NewerBit {
  std::string_view prefix;
  uint64_t bit;
  std::string_view name;
};
constexpr NewerBit kNewerBits[] = {
    {"VK_PIPELINE_STAGE_2_", kVideoEncodeStage, "VIDEO_ENCODE_BIT_KHR"},
    {"VK_ACCESS_2_", kVideoEncodeRead, "VIDEO_ENCODE_READ_BIT_KHR"},
    {"VK_ACCESS_2_", kVideoEncodeWrite, "VIDEO_ENCODE_WRITE_BIT_KHR"},
};

std::string NewerName(std::string_view prefix, uint64_t bit) {
  for (const NewerBit& newer : kNewerBits) {
    if (newer.bit == bit && newer.prefix == prefix)
      return absl::StrCat(std::string(prefix), std::string(newer.name));
  }
  return absl::StrCat("0x", absl::Hex(bit));
}

// "VIDEO_DECODE_KHR" as a bit: "VIDEO_DECODE_BIT_KHR".
std::string WithBit(const std::string& name) {
  for (const char* vendor : {"_KHR", "_EXT", "_NV", "_AMD", "_ARM", "_HUAWEI", "_QCOM"}) {
    if (name.ends_with(vendor))
      return absl::StrCat(name.substr(0, name.size() - std::strlen(vendor)), "_BIT", vendor);
  }
  return absl::StrCat(name, "_BIT");
}

template <typename Bit>
std::string Bits(uint64_t mask, const char* prefix, const char* none) {
  if (mask == 0) return none;
  std::string text;
  for (int i = 0; i < 64; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if ((mask & bit) == 0) continue;
    std::string name = vk::to_string(static_cast<Bit>(bit));
    absl::StrAppend(&text, text.empty() ? "" : " | ");
    if (name.starts_with("invalid")) {  // of a later version
      absl::StrAppend(&text, NewerName(prefix, bit));
    } else {
      absl::StrAppend(&text, prefix, WithBit(Spelled(name)));
    }
  }
  return text;
}

}  // namespace

FormatBlock BlockOf(VkFormat format, VkImageAspectFlags aspect) {
  if (format == VK_FORMAT_UNDEFINED) return {};
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) return {1, 1, 1, 1};
  switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D16_UNORM_S8_UINT:
      return {2, 1, 1, 1};
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return {4, 1, 1, 1};
    default:
      break;
  }
  vk::Format plane = static_cast<vk::Format>(format);
  if (vk::planeCount(plane) > 1) {
    const int index = aspect == VK_IMAGE_ASPECT_PLANE_0_BIT   ? 0
                      : aspect == VK_IMAGE_ASPECT_PLANE_1_BIT ? 1
                      : aspect == VK_IMAGE_ASPECT_PLANE_2_BIT ? 2
                                                              : -1;
    if (index < 0) return {};
    plane = vk::planeCompatibleFormat(plane, static_cast<uint8_t>(index));
  }
  const auto extent = vk::blockExtent(plane);
  return {vk::blockSize(plane), extent[0], extent[1], extent[2]};
}

AttributeUnit UnitOf(VkFormat given) {
  const auto format = static_cast<vk::Format>(given);
  const uint32_t packed = vk::packed(format) / 8u;
  const uint32_t bytes = packed != 0 ? packed : vk::componentBits(format, 0) / 8u;
  if (!std::has_single_bit(bytes) || bytes > 8) return {};
  return {static_cast<uint8_t>(bytes), packed != 0};
}

VkImageAspectFlags AspectsOf(VkFormat format) {
  switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
      return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT:
      return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
      break;
  }
  switch (vk::planeCount(static_cast<vk::Format>(format))) {
    case 2:
      return VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT;
    case 3:
      return VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_PLANE_0_BIT | VK_IMAGE_ASPECT_PLANE_1_BIT |
             VK_IMAGE_ASPECT_PLANE_2_BIT;
    default:
      return VK_IMAGE_ASPECT_COLOR_BIT;
  }
}

uint32_t ChannelsOf(VkFormat format) { return vk::componentCount(static_cast<vk::Format>(format)); }

bool HasIntegers(VkFormat format, VkImageAspectFlags aspects) {
  if (aspects == VK_IMAGE_ASPECT_STENCIL_BIT) return true;
  if (aspects == VK_IMAGE_ASPECT_DEPTH_BIT) return false;
  const std::string_view numbers = vk::componentNumericFormat(static_cast<vk::Format>(format), 0);
  return numbers == "UINT" || numbers == "SINT";
}

FormatFacts FactsOf(VkFormat format) {
  static_assert(sizeof(FormatFacts) == sizeof(uint64_t));
  constexpr uint32_t kKnown = 256;  // most core formats have a lower number
  static constinit std::atomic<uint64_t> known[kKnown] = {};  // 0: not computed yet
  const auto index = static_cast<uint32_t>(format);
  if (index < kKnown) {
    const uint64_t word = known[index].load(std::memory_order_relaxed);
    if (word != 0) [[likely]]
      return std::bit_cast<FormatFacts>(word);
  }
  const FormatFacts facts{BlockOf(format, VK_IMAGE_ASPECT_COLOR_BIT),
                          static_cast<uint16_t>(ChannelsOf(format)),
                          static_cast<uint16_t>(AspectsOf(format))};
  if (index < kKnown) known[index].store(std::bit_cast<uint64_t>(facts), std::memory_order_relaxed);
  return facts;
}

std::string FormatName(VkFormat format) {
  switch (format) {
#define GPUSAN_FORMAT(name) \
  case name:                \
    return #name;
#include "hooks/vulkan/words/irregular_formats.def"
#undef GPUSAN_FORMAT
    default:
      break;
  }
  const std::string name = vk::to_string(static_cast<vk::Format>(format));
  std::string spelled = "VK_FORMAT_";
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    const char before = i != 0 ? name[i - 1] : '\0';
    const bool next_lower = i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z';
    // "R8G8B8A8Unorm": a word begins at a capital letter that follows or precedes a lower-case
    // letter.
    if (i != 0 && upper && ((before >= 'a' && before <= 'z') || next_lower)) spelled += '_';
    spelled += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return spelled;
}

std::string FittingFormats(VkFormat format, uint64_t texel_bytes) {
  const uint32_t channels = ChannelsOf(format);
  std::string names;
  int found = 0;
  for (int i = VK_FORMAT_R8_UNORM; i <= VK_FORMAT_R64G64B64A64_SFLOAT && found < 2; ++i) {
    const VkFormat other = static_cast<VkFormat>(i);
    const std::string name = FormatName(other);
    if (ChannelsOf(other) != channels ||
        BlockOf(other, VK_IMAGE_ASPECT_COLOR_BIT).bytes != texel_bytes)
      continue;
    // Only formats with the usual order and meaning of components.
    if (name.rfind("VK_FORMAT_R", 0) != 0 || name.find("PACK") != std::string::npos) continue;
    if (name.find("_UNORM") == std::string::npos && name.find("_SFLOAT") == std::string::npos &&
        name.find("_UINT") == std::string::npos)
      continue;
    absl::StrAppend(&names, names.empty() ? "" : " or ", name);
    ++found;
  }
  return names;
}

std::string LayoutName(uint32_t layout) {
  const VkImageLayout value = static_cast<VkImageLayout>(layout);
  const std::string name = vk::to_string(static_cast<vk::ImageLayout>(value));
  if (name.rfind("invalid", 0) == 0) {
    // Those that the headers may lack.
    switch (layout) {
      case 1000232000:
        return "VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ";
      case 1000460000:
        return "VK_IMAGE_LAYOUT_TENSOR_ALIASING_ARM";
      case 1000553000:
        return "VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR";
      case 1000620000:
        return "VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT";
      default:
        return absl::StrCat("layout ", layout);
    }
  }
  return "VK_IMAGE_LAYOUT_" + Spelled(name);
}

std::string StagesText(uint64_t stages) {
  if ((stages & ~VK_PIPELINE_STAGE_2_HOST_BIT) == ~VK_PIPELINE_STAGE_2_HOST_BIT ||
      stages == ~uint64_t{0})
    return "all stages";
  return Bits<vk::PipelineStageFlagBits2>(WithoutMembers(stages), "VK_PIPELINE_STAGE_2_",
                                          "VK_PIPELINE_STAGE_2_NONE");
}

std::string AccessText(uint64_t access) {
  if (access == ~uint64_t{0}) return "all accesses";
  return Bits<vk::AccessFlagBits2>(access, "VK_ACCESS_2_", "VK_ACCESS_2_NONE");
}

std::string BufferUsageText(VkBufferUsageFlags usage) {
  return Bits<vk::BufferUsageFlagBits>(usage, "VK_BUFFER_USAGE_", "0");
}

std::string ImageUsageText(VkImageUsageFlags usage) {
  return Bits<vk::ImageUsageFlagBits>(usage, "VK_IMAGE_USAGE_", "0");
}

std::string ShaderStagesText(VkShaderStageFlags stages) {
  return Bits<vk::ShaderStageFlagBits>(stages, "VK_SHADER_STAGE_", "0");
}

std::string RenderingFlagText(VkRenderingFlags flags) {
  return Bits<vk::RenderingFlagBits>(flags, "VK_RENDERING_", "0");
}

std::string ResultName(VkResult code) {
  const std::string name = vk::to_string(static_cast<vk::Result>(code));
  if (name.rfind("invalid", 0) == 0) return absl::StrCat("VkResult ", static_cast<int>(code));
  return "VK_" + Spelled(name);
}

}  // namespace gpusan::vulkan
