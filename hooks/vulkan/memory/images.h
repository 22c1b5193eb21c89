// Images and their views.
#pragma once

#include "hooks/vulkan/memory/creation_checks.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct CreateImage {
  static bool TryFast(FastCall& call, VkDevice, const VkImageCreateInfo* info,
                      const VkAllocationCallbacks*, VkImage* image) {
    return info != nullptr && image != nullptr &&
           IsCheckedImage(static_cast<const Device&>(*call.scope), *info);
  }
  void Before(VkCall& call, VkDevice, const VkImageCreateInfo* info, const VkAllocationCallbacks*,
              VkImage*) {
    CheckImageInfo(call, *info);
  }
  bool TryFastAfter(FastCall& call, VkDevice device, const VkImageCreateInfo* info,
                    const VkAllocationCallbacks* allocator, VkImage* image);
  AfterOf<PFN_vkCreateImage> After;
};
struct DestroyImage {
  static bool TryFast(FastCall& call, VkDevice device, VkImage image,
                      const VkAllocationCallbacks* allocator);
  BeforeOf<PFN_vkDestroyImage> Before;
};
struct GetImageSubresourceLayout {
  BeforeOf<PFN_vkGetImageSubresourceLayout> Before;
};
struct CreateImageView {
  BeforeOf<PFN_vkCreateImageView> Before;
  AfterOf<PFN_vkCreateImageView> After;
};
using DestroyImageView = DestroyHeld<ObjectKind::kImageView, VkImageView>;

// Returns the usage of an image: the flags of VkImageUsageFlags2CreateInfoKHR in the chain, or else
// `usage`.
VkImageUsageFlags ImageUsageOf(const void* chain, VkImageUsageFlags usage);

// Creates the shadow state of an image. `foreign`: its memory belongs to a swapchain.
Resource* KeepImage(VkCall& call, VkImage handle, const VkImageCreateInfo& info, bool foreign);

// Returns the image of the view if it is live; otherwise nullptr. Sets `*state` to the state of the
// view, if it has one.
inline Resource* ImageOfView(const PlainObject* view, const ImageViewState** state) {
  *state = DescriptionOf<const ImageViewState>(view);
  if (*state == nullptr) return nullptr;
  Resource* image = (*state)->image.get();
  return image != nullptr && image->live() ? image : nullptr;
}

// Reports usage-missing: the image lacks the usage flag `name`. `argument`: the image's name in the
// call.
[[gnu::cold]] void ReportImageUsage(VkCall& call, const Resource& image, const char* name,
                                    const char* argument);
inline void CheckImageUsage(VkCall& call, const Resource& image, VkImageUsageFlags needed,
                            const char* name, const char* argument) {
  if ((ImageOf(image).usage & needed) == 0) [[unlikely]]
    ReportImageUsage(call, image, name, argument);
}

}  // namespace gpusan::vulkan
