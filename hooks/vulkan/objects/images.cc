// Images and their views.
#include "hooks/vulkan/objects/images.h"

#include <algorithm>

#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/objects/buffers.h"
#include "hooks/vulkan/objects/formats.h"
#include "hooks/vulkan/objects/memory.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

namespace {

// Stores the description of the image. Returns false if the state has it already.
[[gnu::always_inline]] inline bool Differs(const ImageState& state, const VkImageCreateInfo& info) {
  const ImageInfo& image = state.info;
  return info.pNext != nullptr || state.format != info.format || state.usage != info.usage ||
         state.flags != info.flags || state.extent.width != info.extent.width ||
         state.extent.height != info.extent.height || state.extent.depth != info.extent.depth ||
         state.mips != info.mipLevels || state.layers != info.arrayLayers ||
         state.samples != info.samples ||
         state.optimal != (info.tiling == VK_IMAGE_TILING_OPTIMAL) ||
         state.concurrent != (info.sharingMode == VK_SHARING_MODE_CONCURRENT) ||
         image.dimensions != info.imageType + 1u + (image.array ? 1 : 0);
}

[[gnu::noinline]] void Describe(const VkImageCreateInfo& info, bool foreign, ImageState* state) {
  const FormatFacts facts = FactsOf(info.format);
  state->memory_types = 0;
  state->format = info.format;
  state->usage = info.usage;
  state->flags = info.flags;
  state->is_3d = info.imageType == VK_IMAGE_TYPE_3D;
  state->optimal = info.tiling == VK_IMAGE_TILING_OPTIMAL;
  state->extent = info.extent;
  // What a driver accepts, however wrong, needs little memory here.
  state->mips = std::clamp(info.mipLevels, 1u, 32u);
  state->layers = std::clamp(info.arrayLayers, 1u, 1u << 16);
  state->samples = info.samples;
  state->aspects = facts.aspects;
  // VK_KHR_extended_flags: 64-bit flags in the chain replace the members. The low bits are equal.
  if (info.pNext != nullptr) [[unlikely]] {
    if (const auto* usage = FindInChain<later::VkImageUsageFlags2CreateInfoKHR>(
            info.pNext, later::kImageUsageFlags2CreateInfo))
      state->usage = static_cast<VkImageUsageFlags>(usage->usage);
    if (const auto* flags = FindInChain<later::VkImageCreateFlags2CreateInfoKHR>(
            info.pNext, later::kImageCreateFlags2CreateInfo))
      state->flags = static_cast<VkImageCreateFlags>(flags->flags);
  }
  // Stencil may have a usage of its own: the union of both counts for both.
  if ((facts.aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) [[unlikely]] {
    if (const auto* stencil = FindInChain<VkImageStencilUsageCreateInfo>(
            info.pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO))
      state->usage |= stencil->stencilUsage;
  }
  state->concurrent = info.sharingMode == VK_SHARING_MODE_CONCURRENT;
  // VK_IMAGE_USAGE_HOST_TRANSFER_BIT: the host copies, and changes layouts, by functions that the
  // headers may lack.
  constexpr VkImageUsageFlags kHostTransfer = 0x00400000;
  state->sparse = (state->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0;
  state->foreign = foreign || state->sparse || (state->usage & kHostTransfer) != 0 ||
                   FindInChain<VkExternalMemoryImageCreateInfo>(
                       info.pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO) != nullptr;
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

}  // namespace

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
  if (Object* last = LastOf<ObjectKind::kImage>(HandleOf(*handle)); last != nullptr) [[likely]] {
    Resource* resource =
        tracker.objects().Renew(call.info, site, last, device.object, 0, info->usage,
                                [](const Resource& image) { return ImageOf(image).BoundAtMost(); });
    if (resource != nullptr) [[likely]] {
      ImageState& state = ImageOf(*resource);
      state.ResetBinding();
      if (Differs(state, *info)) [[unlikely]]
        Describe(*info, false, &state);
      ResetUses(*info, false, &state);
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
  return TryDestroyFast<ObjectKind::kImage>(call, HandleOf(image), [&](Resource& resource) {
    return ScopedOf(resource).used.MayBePending(call.tracker->ordering().host()) ||
           HasParked(*call.scope);
  });
}

void DestroyImage::Before(VkCall& call, VkDevice, VkImage image, const VkAllocationCallbacks*) {
  Object* object = UseRecentForDestroy<ObjectKind::kImage>(call, HandleOf(image), "image");
  if (object == nullptr) return;
  ScopedState& state = ScopedOf(static_cast<Resource&>(*object));
  CheckNotPending(call, *object, state.used, state.lock, rules::PendingUse::Act::kDestroy,
                  "VUID-vkDestroyImage-image-01000");
  Destroy(call, object);
}

void CreateImageView::Before(VkCall& call, VkDevice, const VkImageViewCreateInfo* info,
                             const VkAllocationCallbacks*, VkImageView*) {
  if (Resource* image = UseImage(call, info->image, "pCreateInfo->image"); image != nullptr)
    CheckBound(call, *image, "pCreateInfo->image");
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
      });
}

void ReportImageUsage(VkCall& call, const Resource& image, const char* name, const char* argument) {
  Binding binding;
  binding.kind = ObjectKind::kImage;
  binding.argument = argument;
  binding.resource = &image;
  binding.missing_usage = name;
  rules::OnBinding(binding, call);
}

}  // namespace gpusan::vulkan
