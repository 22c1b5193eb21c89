// Images and their views.
#include "hooks/vulkan/memory/images.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/memory/argument_vuids.h"
#include "hooks/vulkan/memory/buffers.h"
#include "hooks/vulkan/memory/memory.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/descriptor_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

namespace {

using Fault = rules::SyncStateUse::Fault;

// VK_IMAGE_USAGE_HOST_TRANSFER_BIT: the host copies, and changes layouts, by functions that the
// headers may lack.
constexpr VkImageUsageFlags kHostTransfer = 0x00400000;

// The upper bits of a usage count as one usage that gpusan does not know.
VkImageUsageFlags Narrow(uint64_t usage) {
  return static_cast<VkImageUsageFlags>(usage) |
         (usage >> 32 != 0 ? VkImageUsageFlags{1} << 31 : 0);
}

bool HasViewFormats(const ImageState& state) {
  return state.extra != nullptr && !state.extra->view_formats.empty();
}

// Stores the description of the image. Returns false if the state has it already.
[[gnu::always_inline]] inline bool Differs(const ImageState& state, const VkImageCreateInfo& info) {
  const ImageInfo& image = state.info;
  const VkExtent3D extent = state.Extent();
  return info.pNext != nullptr || HasViewFormats(state) || state.format != info.format ||
         state.usage != info.usage || state.flags != info.flags ||
         extent.width != info.extent.width || extent.height != info.extent.height ||
         extent.depth != info.extent.depth || state.mips != info.mipLevels ||
         state.layers != info.arrayLayers || state.samples != info.samples ||
         state.optimal != (info.tiling == VK_IMAGE_TILING_OPTIMAL) ||
         state.concurrent != (info.sharingMode == VK_SHARING_MODE_CONCURRENT) ||
         image.dimensions != info.imageType + 1u + (image.array ? 1 : 0);
}

[[gnu::noinline]] void Describe(const VkImageCreateInfo& info, bool foreign, ImageState* state) {
  const FormatFacts facts = FactsOf(info.format);
  state->memory_types = 0;
  state->format = info.format;
  state->usage = ImageUsageOf(info.pNext, info.usage);
  state->flags = info.flags;
  state->is_3d = info.imageType == VK_IMAGE_TYPE_3D;
  state->optimal = info.tiling == VK_IMAGE_TILING_OPTIMAL;
  // An invalid image that a driver accepts must not need much memory here.
  state->mips = std::clamp(info.mipLevels, 1u, 32u);
  state->layers = std::clamp(info.arrayLayers, 1u, 1u << 16);
  state->samples = static_cast<uint8_t>(info.samples);
  state->aspects = static_cast<uint8_t>(facts.aspects);
  // VK_KHR_extended_flags: 64-bit flags in the chain replace the members. The low bits are equal.
  if (info.pNext != nullptr) [[unlikely]] {
    // Images of optical flow name their use in this structure.
    if (FindInChain<VkBaseInStructure>(info.pNext,
                                       VK_STRUCTURE_TYPE_OPTICAL_FLOW_IMAGE_FORMAT_INFO_NV))
      state->usage |= VkImageUsageFlags{1} << 31;
    if (const auto* flags = FindInChain<later::VkImageCreateFlags2CreateInfoKHR>(
            info.pNext, later::kImageCreateFlags2CreateInfo))
      state->flags = static_cast<VkImageCreateFlags>(flags->flags);
  }
  // Stencil may have a usage of its own: the union of both counts for both.
  if ((facts.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) [[unlikely]] {
    if (const auto* stencil = FindInChain<VkImageStencilUsageCreateInfo>(
            info.pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO))
      state->usage |= stencil->stencilUsage;
    if (const auto* stencil = FindInChain<later::VkImageStencilUsage2CreateInfoKHR>(
            info.pNext, later::kImageStencilUsage2CreateInfo))
      state->usage |= Narrow(stencil->stencilUsage);
  }
  state->concurrent = info.sharingMode == VK_SHARING_MODE_CONCURRENT;
  state->sparse = (state->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
  const auto* external = FindInChain<VkExternalMemoryImageCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
  state->external = external != nullptr ? external->handleTypes : 0;
  const auto* list = FindInChain<VkImageFormatListCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
  if (list != nullptr && list->pViewFormats != nullptr && list->viewFormatCount != 0) {
    state->MakeExtra().view_formats.assign(list->pViewFormats,
                                           list->pViewFormats + list->viewFormatCount);
  } else if (state->extra != nullptr) {
    state->extra->view_formats.clear();
  }
  // Others access an image for descriptors only if its memory is imported or exported.
  state->foreign = foreign || state->sparse || (state->usage & kHostTransfer) != 0 ||
                   (state->external & ~kDescriptors) != 0;
  ImageInfo& image = state->info;  // no other function sets its fields
  image.in_part = true;
  image.array = false;
  image.extent[0] = info.extent.width;
  image.extent[1] = info.extent.height;
  image.extent[2] = info.extent.depth;
  image.dimensions = info.imageType == VK_IMAGE_TYPE_1D   ? 1
                     : info.imageType == VK_IMAGE_TYPE_2D ? 2
                                                          : 3;
  if (info.arrayLayers > 1 && image.dimensions < 3) {
    image.extent[image.dimensions++] = info.arrayLayers;
    image.array = true;
  }
  const FormatBlock block = state->block = facts.block;
  image.texel_bytes = block.width == 1 && block.height == 1 ? block.bytes : 0;
  image.channels = facts.channels;
  image.native_data_type = info.format;
}

// Sets the state of an image without accesses.
[[gnu::always_inline]] inline void ResetUses(const VkImageCreateInfo& info, bool foreign,
                                             ImageState* state) {
  // The layout of an image that others access is unknown.
  state->layouts.Reset(
      state->mips, state->layers,
      state->foreign && !foreign ? kNoLayout : static_cast<Layout>(info.initialLayout));
  // Writes by others, and by the host in a linear layout, are not seen.
  state->content.Reset(state->mips, state->layers, state->foreign || !state->optimal);
}

[[gnu::noinline]] Resource* KeepAnother(Tracker& tracker, const CallInfo& call, SiteId site,
                                        Device& device, VkImage handle,
                                        const VkImageCreateInfo& info, bool foreign) {
  ImageState* state = ImageState::New();
  Describe(info, foreign, state);
  ResetUses(info, foreign, state);
  ResourceSpec spec;
  spec.kind = ObjectKind::kImage;
  spec.handle = HandleOf(handle);
  spec.context = device.object;
  spec.native_flags = info.usage;
  spec.flags = kBoundMemory;
  spec.part_image = &state->info;
  Resource* resource = tracker.objects().NewResource(call, site, spec);
  resource->part = state;
  SetRecent<ObjectKind::kImage>(spec.handle, resource);
  return resource;
}

// The part of the image that a view shows. Layers of a view of a 3D image can be slices.
ImagePart PartOf(const ImageState& image, const VkImageSubresourceRange& range,
                 VkImageViewType type) {
  ImagePart part = vulkan::PartOf(image, range);
  if (!image.is_3d || type == VK_IMAGE_VIEW_TYPE_3D) return part;
  const VkExtent3D size = image.ExtentOf(range.baseMipLevel);
  const uint32_t first = std::min(range.baseArrayLayer, size.depth);
  part.mips = 1;
  part.origin[2] = first;
  part.extent[0] = size.width;
  part.extent[1] = size.height;
  part.extent[2] = std::min(range.layerCount, size.depth - first);
  return part;
}

// The usage of a view: that of the image, unless the program names a part of it.
uint32_t UsageOf(const ImageState& image, const VkImageViewCreateInfo& info) {
  if (const auto* wide = FindInChain<later::VkImageViewUsage2CreateInfoKHR>(
          info.pNext, later::kImageViewUsage2CreateInfo))
    return Narrow(wide->usage);
  const auto* given = FindInChain<VkImageViewUsageCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
  return given != nullptr ? given->usage : image.usage;
}

// Adds a finding if the view shows aspects, mip levels or layers that the image lacks. Layers of a
// view of a 3D image can be slices.
void CheckViewRange(VkCall& call, const Resource& resource, const VkImageViewCreateInfo& info) {
  const ImageState& image = ImageOf(resource);
  const VkImageSubresourceRange& range = info.subresourceRange;
  const auto report = [&](std::string text, const char* vuid) {
    ReportSync(call, resource, Fault::kViewRange, std::move(text), vuid);
  };
  const auto check = [&](const char* what, uint32_t first, uint32_t count, uint32_t all,
                         const char* first_vuid, const char* count_vuid) {
    const uint64_t end = uint64_t{first} + count;
    const bool fits = count == VK_REMAINING_MIP_LEVELS || end <= all;
    if (first < all && fits) [[likely]]
      return true;
    report(first >= all ? absl::StrCat(what, " ", first, " of the ", all)
                        : absl::StrCat(what, "s ", first, " to ", end - 1, " of the ", all),
           first >= all ? first_vuid : count_vuid);
    return false;
  };
  constexpr VkImageAspectFlags kNamed =
      VK_IMAGE_ASPECT_COLOR_BIT | VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  // Multi-planar images have more aspects.
  if ((image.aspects & ~kNamed) == 0 && image.aspects != 0) {
    const VkImageAspectFlags lacking = range.aspectMask & kNamed & ~image.aspects;
    if (lacking != 0) {
      return ReportSync(
          call, resource, Fault::kViewAspect,
          (lacking & VK_IMAGE_ASPECT_COLOR_BIT) != 0   ? "the aspect VK_IMAGE_ASPECT_COLOR_BIT"
          : (lacking & VK_IMAGE_ASPECT_DEPTH_BIT) != 0 ? "the aspect VK_IMAGE_ASPECT_DEPTH_BIT"
                                                       : "the aspect VK_IMAGE_ASPECT_STENCIL_BIT",
          "subresourceRange-09594");
    }
  }
  if (!check("mip level", range.baseMipLevel, range.levelCount, image.mips,
             "subresourceRange-01478", "subresourceRange-01718"))
    return;
  const bool slices = image.is_3d && info.viewType != VK_IMAGE_VIEW_TYPE_3D;
  check(slices ? "slice" : "array layer", range.baseArrayLayer, range.layerCount,
        slices ? image.ExtentOf(range.baseMipLevel).depth : image.layers,
        slices ? "image-02724" : "image-06724",
        slices ? "subresourceRange-02725" : "subresourceRange-06725");
}

// Adds a finding if the image has no faces for a view of cubes, or if the view has a part of a
// cube.
void CheckCubes(VkCall& call, const Resource& resource, const VkImageViewCreateInfo& info) {
  const ImageState& image = ImageOf(resource);
  const bool several = info.viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  if (!several && info.viewType != VK_IMAGE_VIEW_TYPE_CUBE) [[likely]]
    return;
  if (image.foreign) return;  // the flags of images of a swapchain are unknown
  if ((image.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) == 0) {
    return ReportSync(call, resource, Fault::kViewOfCubes, "no VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT",
                      "image-01003");
  }
  const VkImageSubresourceRange& range = info.subresourceRange;
  const bool rest = range.layerCount == VK_REMAINING_ARRAY_LAYERS;
  const uint32_t layers =
      rest ? image.layers - std::min(image.layers, range.baseArrayLayer) : range.layerCount;
  constexpr uint32_t kFaces = 6;
  if (several ? layers % kFaces == 0 : layers == kFaces) return;
  const char* vuid = several ? (rest ? "viewType-02963" : "viewType-02961")
                             : (rest ? "viewType-02962" : "viewType-02960");
  ReportSync(call, resource, Fault::kViewOfCubes, absl::StrCat(layers, " layers"), vuid);
}

// Adds a finding if the image was not created for the view.
void CheckViewUsage(VkCall& call, const Resource& resource, const VkImageViewCreateInfo& info) {
  const ImageState& image = ImageOf(resource);
  if (image.foreign) return;  // the usage of images of a swapchain may be in its chain
  constexpr uint32_t kTransfers =
      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | kHostTransfer;
  if (image.usage != 0 && (image.usage & ~kTransfers) == 0) {
    return ReportSync(call, resource, Fault::kViewUsage, "a usage that needs views", "image-04441");
  }
  const uint32_t lacking = UsageOf(image, info) & ~image.usage;
  if (lacking == 0 || image.usage == 0) return;
  struct Usage {
    uint32_t flag;
    const char* name;
  };
  constexpr Usage kUsages[] = {
      {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, "VK_IMAGE_USAGE_TRANSFER_SRC_BIT"},
      {VK_IMAGE_USAGE_TRANSFER_DST_BIT, "VK_IMAGE_USAGE_TRANSFER_DST_BIT"},
      {VK_IMAGE_USAGE_SAMPLED_BIT, "VK_IMAGE_USAGE_SAMPLED_BIT"},
      {VK_IMAGE_USAGE_STORAGE_BIT, "VK_IMAGE_USAGE_STORAGE_BIT"},
      {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT"},
      {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT"},
      {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT"},
  };
  for (const Usage& usage : kUsages) {
    if ((lacking & usage.flag) != 0)
      return ReportSync(call, resource, Fault::kViewUsage, usage.name, "pNext-02662");
  }
}

}  // namespace

VkImageUsageFlags ImageUsageOf(const void* chain, VkImageUsageFlags usage) {
  if (chain == nullptr) [[likely]]
    return usage;
  const auto* wide = FindInChain<later::VkImageUsageFlags2CreateInfoKHR>(
      chain, later::kImageUsageFlags2CreateInfo);
  return wide != nullptr ? Narrow(wide->usage) : usage;
}

Resource* KeepImage(VkCall& call, VkImage handle, const VkImageCreateInfo& info, bool foreign) {
  return KeepAnother(call.tracker(), call.info(), call.site(), call.device(), handle, info,
                     foreign);
}

bool CreateImage::TryFastAfter(FastCall& call, VkDevice, const VkImageCreateInfo* info,
                               const VkAllocationCallbacks*, VkImage* handle) {
  const SiteId site = WarmSite(call.return_address, call.frame_address);
  if (site == kUnknownSite) [[unlikely]]
    return false;
  Tracker& tracker = *call.tracker;
  Device& device = static_cast<Device&>(*call.scope);
  Object* last = LastOf<ObjectKind::kImage>(HandleOf(*handle));
  // The thread has destroyed several images, whose handles the driver reuses.
  if (last == nullptr)
    last = tracker.objects().Peek(Api::kVulkan, ObjectKind::kImage, HandleOf(*handle));
  if (last != nullptr) [[likely]] {
    Resource* resource =
        tracker.objects().Renew(call.info, site, last, device.object, 0, info->usage,
                                [](const Resource& image) { return ImageOf(image).BoundAtMost(); });
    if (resource != nullptr) [[likely]] {
      ImageState& state = ImageOf(*resource);
      state.ResetBinding();
      if (Differs(state, *info)) [[unlikely]]
        Describe(*info, false, &state);
      ResetUses(*info, false, &state);
      SetRecent<ObjectKind::kImage>(HandleOf(*handle), resource);
      return true;
    }
  }
  KeepAnother(tracker, call.info, site, device, *handle, *info, false);
  return true;
}

void CreateImage::After(VkCall& call, VkResult code, VkDevice, const VkImageCreateInfo* info,
                        const VkAllocationCallbacks*, VkImage* handle) {
  if (code == VK_SUCCESS) {
    KeepImage(call, *handle, *info, false);
  } else {
    call.tracker().objects().NoteFailedCreation(call, ObjectKind::kImage, code, 0);
  }
}

bool DestroyImage::TryFast(FastCall& call, VkDevice, VkImage image, const VkAllocationCallbacks*) {
  return TryDestroyScopedFast<ObjectKind::kImage>(call, HandleOf(image));
}

void DestroyImage::Before(VkCall& call, VkDevice, VkImage image, const VkAllocationCallbacks*) {
  DestroyScoped<ObjectKind::kImage>(call, HandleOf(image), "image",
                                    "VUID-vkDestroyImage-image-01000");
}

void GetImageSubresourceLayout::Before(VkCall& call, VkDevice, VkImage handle,
                                       const VkImageSubresource*, VkSubresourceLayout*) {
  const Resource* image = UseImage(call, handle, "image");
  if (image != nullptr && ImageOf(*image).optimal && !ImageOf(*image).foreign) [[unlikely]]
    ReportSync(call, *image, Fault::kLayoutOfOptimal);
}

namespace {

bool IsSwizzled(const VkComponentMapping& components) {
  const auto differs = [](VkComponentSwizzle given, VkComponentSwizzle own) {
    return given != VK_COMPONENT_SWIZZLE_IDENTITY && given != own;
  };
  return differs(components.r, VK_COMPONENT_SWIZZLE_R) ||
         differs(components.g, VK_COMPONENT_SWIZZLE_G) ||
         differs(components.b, VK_COMPONENT_SWIZZLE_B) ||
         differs(components.a, VK_COMPONENT_SWIZZLE_A);
}

}  // namespace

void CreateImageView::Before(VkCall& call, VkDevice, const VkImageViewCreateInfo* info,
                             const VkAllocationCallbacks*, VkImageView*) {
  Resource* image = UseImage(call, info->image, "pCreateInfo->image");
  if (image == nullptr) return;
  CheckBound(call, *image, "pCreateInfo->image");
  CheckViewRange(call, *image, *info);
  CheckViewUsage(call, *image, *info);
  CheckCubes(call, *image, *info);
  if (info->viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY &&
      !call.device().features.core.imageCubeArray) [[unlikely]] {
    ReportFeature(call, "VK_IMAGE_VIEW_TYPE_CUBE_ARRAY", "imageCubeArray",
                  "VkImageViewCreateInfo-viewType-01004");
  }
  const ImageState& state = ImageOf(*image);
  // The flags of an image of a swapchain, and external formats, are unknown.
  if (state.format != info->format && !state.foreign && state.format != VK_FORMAT_UNDEFINED &&
      (state.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) == 0) {
    ReportSync(
        call, *image, Fault::kViewFormat,
        absl::StrCat(FormatName(info->format), ", but the image has ", FormatName(state.format)));
  }
  if (!HasViewFormats(state) || state.foreign) [[likely]]
    return;
  if (std::ranges::find(state.extra->view_formats, info->format) == state.extra->view_formats.end())
    ReportSync(call, *image, Fault::kViewNotInList, FormatName(info->format));
}

void CreateImageView::After(VkCall& call, VkResult code, VkDevice,
                            const VkImageViewCreateInfo* info, const VkAllocationCallbacks*,
                            VkImageView* view) {
  if (code != VK_SUCCESS) return;
  auto* image = static_cast<Resource*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kImage, HandleOf(info->image)));
  if (image == nullptr) return;
  KeepShared<ImageViewState>(
      call, ObjectKind::kImageView, HandleOf(*view), [&](ImageViewState* state) {
        state->image = WeakRef<Resource>(image);
        state->part = PartOf(ImageOf(*image), info->subresourceRange, info->viewType);
        state->format = info->format;
        state->usage = UsageOf(ImageOf(*image), *info);
        state->swizzled = IsSwizzled(info->components);
        state->type = static_cast<uint8_t>(info->viewType);
        state->integers = HasIntegers(info->format, info->subresourceRange.aspectMask);
      });
}

void ReportImageUsage(VkCall& call, const Resource& image, const char* name, const char* argument) {
  rules::DescriptorUse use;
  use.resource = &image;
  use.text = name;
  use.argument = argument;
  use.vuid = UsageVuid(call.info().name, argument);
  rules::OnDescriptorUse(use, call);
}

}  // namespace gpusan::vulkan
