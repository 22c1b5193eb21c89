// The content of buffers and images (written or not), as commands access it in the order of a
// queue. Precondition of all functions: the caller holds no lock of a resource.
#pragma once

#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/recording/recording.h"

namespace gpusan::vulkan {

// The submission that an access belongs to.
struct ContentPlace {
  VkCall& call;
  LabelId label;
  TimelineId timeline;
};

namespace content_internal {
void UseBuffer(const ContentPlace& place, Resource& buffer, const RecordedUse& use,
               const Region& region);
void UseImage(const ContentPlace& place, Resource& resource, const RecordedUse& use,
              const ImagePart& part);
}  // namespace content_internal

// Reports reads of content that was never written, and marks what is written. Of the reads of
// shaders, and of those of images, only transfers and shaders are checked whose results depend on
// the content: whether the result of another read is used is unknown.
inline void UseContent(const ContentPlace& place, Resource& resource, const RecordedUse& use,
                       const Extent& extent) {
  if (resource.image == nullptr) {
    if (!resource.init.all()) content_internal::UseBuffer(place, resource, use, extent.region);
  } else if (!ImageOf(resource).content.all()) {
    content_internal::UseImage(place, resource, use, extent.part);
  }
}

// Checks an access to an image with aliases, whose writes may have made its content undefined. Only
// transfers are checked: whether the result of another read is used is unknown.
void NoteLostContent(const ContentPlace& place, Resource& resource, const RecordedUse& use);

}  // namespace gpusan::vulkan
