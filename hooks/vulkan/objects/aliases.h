// Buffers and images that are bound to the same bytes of a memory object: what is done by the one
// is done to the others (Vulkan 1.3 §12.8, memory aliasing).
//
// A dependency must be between two uses by two aliases of which one writes. Whose barrier it is
// does not matter here: one of any of the aliases counts for all. Which bytes a part of an image is
// in nobody knows, so that of images only uses as a whole are judged, and of buffers those that
// have no rows. A memory object with more live bindings than kMostBindings is not looked at.
#pragma once

#include <cstdint>

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// A resource was just bound to the memory, which is locked.
void NoteBinding(Resource& resource, MemoryState& memory);

// Bytes of a memory object; none: nobody knows which.
struct MemoryRange {
  uint64_t begin = 0, end = 0;

  bool Overlaps(const MemoryRange& other) const { return begin < other.end && other.begin < end; }
  bool Contains(const MemoryRange& other) const { return begin <= other.begin && other.end <= end; }
};
// What a use of that extent surely touches.
MemoryRange RangeInMemory(const Resource& resource, const Extent& extent);

// A command that writes those bytes by another resource makes all that the image holds undefined. A
// part of the memory is surely some of the image's only where it begins with it.
bool LosesContent(const Resource& image, const Resource& written, const MemoryRange& range);

// The live aliases of a resource whose state is not locked by the caller; they may be more than
// overlap a use of it.
std::vector<Resource*> AliasesOf(ScopedState& state);

}  // namespace gpusan::vulkan
