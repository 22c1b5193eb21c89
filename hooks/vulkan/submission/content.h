// The content of buffers and images (written or not), as commands access it in the order of a
// queue. Precondition of all functions: the caller holds no lock of a resource.
#pragma once

#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/recorder/recording.h"

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

// Reports a read of content that was never written, and marks written bytes. Reads by shaders and
// reads of images are reported only if a result of the program surely depends on the content. For
// other reads, gpusan does not know whether the program uses the result.
inline void UseContent(const ContentPlace& place, Resource& resource, const RecordedUse& use,
                       const Extent& extent) {
  if (resource.image == nullptr) {
    if (!resource.init.all()) content_internal::UseBuffer(place, resource, use, extent.region);
  } else if (!ImageOf(resource).content.all()) {
    content_internal::UseImage(place, resource, use, extent.part);
  }
}

// Checks an access to an image with aliases: a write to an alias may have made the content of the
// image undefined. Checks only transfers. For other reads, gpusan does not know whether the program
// uses the result.
void NoteLostContent(const ContentPlace& place, Resource& resource, const RecordedUse& use);

}  // namespace gpusan::vulkan
