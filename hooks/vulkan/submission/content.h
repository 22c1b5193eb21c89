// What bytes of buffers and subresources of images hold, as commands use them in the order of a
// queue. Nothing is locked by who calls.
#pragma once

#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/recording/recording.h"

namespace gpusan::vulkan {

// Where a use is judged: by the call that submits it.
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

// What a use reads that holds nothing is a finding; what it writes holds something. Of images only
// what a transfer reads is judged: of all else nobody can see whether it is of any use.
inline void UseContent(const ContentPlace& place, Resource& resource, const RecordedUse& use,
                       const Extent& extent) {
  if (resource.image == nullptr) {
    if (!resource.init.all()) content_internal::UseBuffer(place, resource, use, extent.region);
  } else if (!ImageOf(resource).content.all()) {
    content_internal::UseImage(place, resource, use, extent.part);
  }
}

// An image that has aliases is used: what it holds may be lost. Of all but transfers nobody can see
// whether it is of any use.
void NoteLostContent(const ContentPlace& place, Resource& resource, const RecordedUse& use);

}  // namespace gpusan::vulkan
