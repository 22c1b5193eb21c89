// Checks of the values that memory, buffers, images and samplers are created with.
#include "hooks/vulkan/memory/creation_checks.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/creation_chains.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

void ReportValue(VkCall& call, std::string given, std::string vuid) {
  ReportSync(call, *call.device().object, Fault::kCreationValue, std::move(given), std::move(vuid));
}

// A flag that needs a feature.
struct FlagFeature {
  VkFlags flag;
  VkBool32 VkPhysicalDeviceFeatures::*feature;
  const char *flag_name, *name, *vuid;
};

template <typename Rows>
void CheckFlags(VkCall& call, VkFlags flags, const Rows& rows) {
  for (const FlagFeature& row : rows) {
    if ((flags & row.flag) != 0 && !(call.device().features.core.*row.feature))
      ReportFeature(call, row.flag_name, row.name, row.vuid);
  }
}

}  // namespace

void CheckBufferInfo(VkCall& call, const VkBufferCreateInfo& info) {
  using Core = VkPhysicalDeviceFeatures;
  static constexpr std::array kFlags = {
      FlagFeature{VK_BUFFER_CREATE_SPARSE_BINDING_BIT, &Core::sparseBinding,
                  "VK_BUFFER_CREATE_SPARSE_BINDING_BIT", "sparseBinding",
                  "VkBufferCreateInfo-flags-00915"},
      FlagFeature{VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT, &Core::sparseResidencyBuffer,
                  "VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT", "sparseResidencyBuffer",
                  "VkBufferCreateInfo-flags-00916"},
      FlagFeature{VK_BUFFER_CREATE_SPARSE_ALIASED_BIT, &Core::sparseResidencyAliased,
                  "VK_BUFFER_CREATE_SPARSE_ALIASED_BIT", "sparseResidencyAliased",
                  "VkBufferCreateInfo-flags-00917"}};
  if (info.size == 0) [[unlikely]]
    return ReportValue(call, "a size of 0", "VkBufferCreateInfo-size-00912");
  if (info.size > call.device().largest_buffer) [[unlikely]]
    ReportLimit(call, absl::StrCat("the size ", info.size), "maxBufferSize",
                call.device().largest_buffer, "VkBufferCreateInfo-size-06409");
  if (info.flags != 0 && IsPlainChain(info.pNext)) [[unlikely]]
    CheckFlags(call, info.flags, kFlags);
}

namespace {

// Adds a finding for the first member that unnormalized coordinates do not allow.
void CheckUnnormalized(VkCall& call, const VkSamplerCreateInfo& info) {
  const auto clamps = [](VkSamplerAddressMode mode) {
    return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE ||
           mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  };
  const char *what = nullptr, *vuid = nullptr;
  if (info.minFilter != info.magFilter) {
    what = "a minFilter that differs from magFilter", vuid = "01072";
  } else if (info.mipmapMode != VK_SAMPLER_MIPMAP_MODE_NEAREST) {
    what = "a mipmapMode other than VK_SAMPLER_MIPMAP_MODE_NEAREST", vuid = "01073";
  } else if (info.minLod != 0 || info.maxLod != 0) {
    what = "a minLod or maxLod other than 0", vuid = "01074";
  } else if (!clamps(info.addressModeU) || !clamps(info.addressModeV)) {
    what = "an addressModeU or addressModeV that does not clamp", vuid = "01075";
  } else if (info.anisotropyEnable != VK_FALSE) {
    what = "anisotropyEnable", vuid = "01076";
  } else if (info.compareEnable != VK_FALSE) {
    what = "compareEnable", vuid = "01077";
  }
  if (what == nullptr) [[likely]]
    return;
  ReportSync(call, *call.device().object, Fault::kSamplerConflict,
             absl::StrCat("unnormalizedCoordinates and ", what),
             absl::StrCat("unnormalizedCoordinates-", vuid));
}

void CheckAnisotropy(VkCall& call, const VkSamplerCreateInfo& info) {
  const Device& device = call.device();
  if (!device.features.core.samplerAnisotropy) {
    ReportFeature(call, "anisotropyEnable", "samplerAnisotropy",
                  "VkSamplerCreateInfo-anisotropyEnable-01070");
  } else if (info.maxAnisotropy > device.limits.maxSamplerAnisotropy) {
    ReportLimit(call, absl::StrCat("the maxAnisotropy ", info.maxAnisotropy),
                "maxSamplerAnisotropy", static_cast<uint64_t>(device.limits.maxSamplerAnisotropy),
                "VkSamplerCreateInfo-anisotropyEnable-01071");
  } else if (!(info.maxAnisotropy >= 1)) {
    ReportSync(call, *device.object, Fault::kSamplerConflict,
               absl::StrCat("anisotropyEnable and the maxAnisotropy ", info.maxAnisotropy,
                            ", which is below 1"),
               "anisotropyEnable-01071");
  }
}

}  // namespace

void CheckSamplerInfo(VkCall& call, const VkSamplerCreateInfo& info) {
  const Device& device = call.device();
  if (info.unnormalizedCoordinates != VK_FALSE) [[unlikely]]
    CheckUnnormalized(call, info);
  if (info.anisotropyEnable != VK_FALSE) CheckAnisotropy(call, info);
  if (info.mipLodBias > device.limits.maxSamplerLodBias ||
      info.mipLodBias < -device.limits.maxSamplerLodBias) [[unlikely]] {
    ReportLimit(call, absl::StrCat("the mipLodBias ", info.mipLodBias), "maxSamplerLodBias",
                static_cast<uint64_t>(device.limits.maxSamplerLodBias),
                "VkSamplerCreateInfo-mipLodBias-01069");
  }
  if (info.maxLod < info.minLod) [[unlikely]] {
    ReportSync(call, *device.object, Fault::kSamplerConflict,
               absl::StrCat("the maxLod ", info.maxLod, " and the greater minLod ", info.minLod),
               "maxLod-01973");
  }
  for (const VkSamplerAddressMode mode :
       {info.addressModeU, info.addressModeV, info.addressModeW}) {
    if (mode != VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE || device.features.mirror_clamp)
      continue;
    ReportFeature(call, "VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE", "samplerMirrorClampToEdge",
                  "VkSamplerCreateInfo-addressModeU-01079");
    break;
  }
}

namespace {

// Adds a finding for a host pointer, or a size of the memory there, that is misaligned.
void CheckHostImport(VkCall& call, const VkMemoryAllocateInfo& info,
                     const VkImportMemoryHostPointerInfoEXT& import) {
  const Device& device = call.device();
  const uint64_t alignment = device.host_pointer_alignment;
  const uint64_t address = HandleOf(import.pHostPointer);
  if (import.handleType == 0 || alignment == 0) return;
  const bool pointer = address % alignment != 0;
  if (!pointer && info.allocationSize % alignment == 0) [[likely]]
    return;
  ReportSync(
      call, *device.object, Fault::kHostPointerAlignment,
      absl::StrCat(pointer ? "the pHostPointer 0x" : "the allocationSize ",
                   pointer ? absl::StrCat(absl::Hex(address)) : absl::StrCat(info.allocationSize),
                   ", which is not a multiple of ", alignment),
      pointer ? "VkImportMemoryHostPointerInfoEXT-pHostPointer-01749"
              : "VkMemoryAllocateInfo-allocationSize-01745");
}

}  // namespace

void CheckAllocateInfo(VkCall& call, const VkMemoryAllocateInfo& info) {
  const uint32_t types = call.device().memory.memoryTypeCount;
  if (info.memoryTypeIndex >= types) {
    ReportLimit(call, absl::StrCat("the memoryTypeIndex ", info.memoryTypeIndex), "the last type",
                uint64_t{types} - 1, "vkAllocateMemory-pAllocateInfo-01714");
  } else if (info.allocationSize == 0 && IsPlainChain(info.pNext)) {
    // The size of imported and exported memory may be 0.
    ReportValue(call, "an allocationSize of 0", "VkMemoryAllocateInfo-allocationSize-07897");
  } else if (const auto* import = HostImportOf(info); import != nullptr) {
    CheckHostImport(call, info, *import);
  }
}

void CheckAllocated(VkCall& call, const VkMemoryAllocateInfo& info) {
  const VkPhysicalDeviceMemoryProperties& memory = call.device().memory;
  if (info.memoryTypeIndex >= memory.memoryTypeCount) return;
  const uint64_t most = memory.memoryHeaps[memory.memoryTypes[info.memoryTypeIndex].heapIndex].size;
  // The size of imported memory may be ignored.
  if (info.allocationSize > most && IsPlainChain(info.pNext)) [[unlikely]]
    ReportLimit(call, absl::StrCat("the allocationSize ", info.allocationSize),
                "the size of the memory heap", most, "vkAllocateMemory-pAllocateInfo-01713");
}

namespace {

// Adds a finding, and returns false, for a member that is 0, or for mip levels below 1x1x1.
bool CheckSizes(VkCall& call, const VkImageCreateInfo& info) {
  struct Member {
    uint32_t value;
    const char *name, *vuid;
  };
  for (const Member& member : {Member{info.extent.width, "an extent.width", "extent-00944"},
                               Member{info.extent.height, "an extent.height", "extent-00945"},
                               Member{info.extent.depth, "an extent.depth", "extent-00946"},
                               Member{info.mipLevels, "a mipLevels", "mipLevels-00947"},
                               Member{info.arrayLayers, "an arrayLayers", "arrayLayers-00948"}}) {
    if (member.value != 0) [[likely]]
      continue;
    ReportValue(call, absl::StrCat(member.name, " of 0"),
                absl::StrCat("VkImageCreateInfo-", member.vuid));
    return false;
  }
  const uint32_t mips = CompleteMips(info.extent);
  // Corner-sampled images have other mip chains.
  if (info.mipLevels <= mips || (info.flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV) != 0)
      [[likely]]
    return true;
  ReportValue(call,
              absl::StrCat(info.mipLevels, " mip levels, but an extent of ", info.extent.width, "x",
                           info.extent.height, "x", info.extent.depth, " has only ", mips),
              "VkImageCreateInfo-mipLevels-00958");
  return false;
}

// Adds a finding, and returns false, for a member that exceeds what the device supports for images
// of this kind.
bool CheckMost(VkCall& call, const VkImageCreateInfo& info, const VkImageFormatProperties& most) {
  struct Member {
    uint32_t value, most;
    const char *name, *limit, *vuid;
  };
  const VkExtent3D &size = info.extent, &largest = most.maxExtent;
  for (const Member& member :
       {Member{size.width, largest.width, "extent.width", "maxExtent.width", "extent-02252"},
        Member{size.height, largest.height, "extent.height", "maxExtent.height", "extent-02253"},
        Member{size.depth, largest.depth, "extent.depth", "maxExtent.depth", "extent-02254"},
        Member{info.mipLevels, most.maxMipLevels, "mipLevels", "maxMipLevels", "mipLevels-02255"},
        Member{info.arrayLayers, most.maxArrayLayers, "arrayLayers", "maxArrayLayers",
               "arrayLayers-02256"}}) {
    if (member.value <= member.most) [[likely]]
      continue;
    ReportLimit(call,
                absl::StrCat("the ", member.name, " ", member.value, " for an image of ",
                             FormatName(info.format)),
                member.limit, member.most, absl::StrCat("VkImageCreateInfo-", member.vuid));
    return false;
  }
  if ((info.samples & most.sampleCounts) != 0) return true;
  ReportValue(call,
              absl::StrCat("the samples ", static_cast<uint32_t>(info.samples), " for an image of ",
                           FormatName(info.format), ", of which the device supports the mask ",
                           most.sampleCounts),
              "VkImageCreateInfo-samples-02258");
  return false;
}

// Whether all sizes that IsCheckedImage lets pass are supported.
bool CoversLimits(const VkPhysicalDeviceLimits& limits, const VkImageCreateInfo& info,
                  const VkImageFormatProperties& most) {
  const uint32_t largest = LargestExtent(limits, info);
  const bool flat = info.imageType != VK_IMAGE_TYPE_3D;
  return most.maxExtent.width >= largest &&
         (info.imageType == VK_IMAGE_TYPE_1D || most.maxExtent.height >= largest) &&
         (flat || most.maxExtent.depth >= largest) &&
         most.maxMipLevels >= CompleteMips({largest, 1, 1}) &&
         (!flat || most.maxArrayLayers >= limits.maxImageArrayLayers);
}

// Asks the driver for what it supports of images of this kind. VK_ERROR_INITIALIZATION_FAILED: the
// driver cannot tell.
VkResult QueryKind(Device& device, const VkImageCreateInfo& info, VkImageFormatProperties* most) {
  if (info.pNext == nullptr) {
    return GPUSAN_VK_NEXT(device.instance, vkGetPhysicalDeviceImageFormatProperties)(
        device.physical, info.format, info.imageType, info.tiling, info.usage, info.flags, most);
  }
  const auto query = GPUSAN_VK_NEXT(device.instance, vkGetPhysicalDeviceImageFormatProperties2);
  // For a device of Vulkan 1.0 the loader answers itself, and fails if there is a chain.
  return device.instance->api_version >= VK_API_VERSION_1_1 && query != nullptr &&
                 QueryImageFormat(query, device.physical, info, most) == VK_SUCCESS
             ? VK_SUCCESS
             : VK_ERROR_INITIALIZATION_FAILED;
}

}  // namespace

bool IsCheckedChain(const Device& device, const VkImageCreateInfo& info) {
  const std::optional<uint64_t> chain = HashOfCreationChain(info.pNext);
  return !chain || IsCheckedImage(device, info, *chain);
}

namespace {

// Adds a finding and returns false for usages that a transient image must not have.
bool CheckTransient(VkCall& call, const VkImageCreateInfo& info) {
  constexpr VkImageUsageFlags kOutsideOfPasses =
      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
  const VkImageUsageFlags others = info.usage & kOutsideOfPasses;
  if ((info.usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) == 0 || others == 0) [[likely]]
    return true;
  ReportSync(call, *call.device().object, Fault::kTransientUsage, ImageUsageText(others));
  return false;
}

}  // namespace

void CheckImageInfo(VkCall& call, const VkImageCreateInfo& info) {
  const std::optional<uint64_t> chain = HashOfCreationChain(info.pNext);
  if (!chain || !CheckSizes(call, info) || info.usage == 0 || !CheckTransient(call, info)) return;
  Device& device = call.device();
  if ((info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0 &&
      !device.features.core.sparseBinding) {
    return ReportFeature(call, "VK_IMAGE_CREATE_SPARSE_BINDING_BIT", "sparseBinding",
                         "VkImageCreateInfo-flags-00969");
  }
  if (info.samples != VK_SAMPLE_COUNT_1_BIT && (info.usage & VK_IMAGE_USAGE_STORAGE_BIT) != 0 &&
      !device.features.core.shaderStorageImageMultisample) {
    return ReportFeature(call, "VK_IMAGE_USAGE_STORAGE_BIT and several samples",
                         "shaderStorageImageMultisample", "VkImageCreateInfo-usage-00968");
  }
  VkImageFormatProperties most = {};
  const VkResult code = QueryKind(device, info, &most);
  if (code == VK_ERROR_FORMAT_NOT_SUPPORTED) {
    ReportSync(call, *device.object, Fault::kFormatNotSupported,
               absl::StrCat(FormatName(info.format), " with a type, tiling, usage and flags"));
  } else if (code == VK_SUCCESS && CheckMost(call, info, most) &&
             CoversLimits(device.limits, info, most)) {
    device.known_images.Add(KnownImages::KindOf(info) + *chain);
  }
}

}  // namespace gpusan::vulkan
