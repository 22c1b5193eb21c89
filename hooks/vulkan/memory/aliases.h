// Buffers and images that are bound to the same bytes of a memory object: an access to one is an
// access to the others (Vulkan 1.3 §12.8, memory aliasing).
//
// Two accesses through two aliases, one of which writes, need a dependency. A barrier of any alias
// counts for all aliases. The bytes of a part of an image are unknown, so that only accesses to
// whole images, and to contiguous ranges of buffers, are checked. Memory objects with more live
// bindings than kMostBindings are not checked.
#pragma once

#include <cstdint>

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// Records that the resource was bound to the memory. Precondition: the memory is locked.
void NoteBinding(Resource& resource, MemoryState& memory);

// Marks the resource as one that others access too: gpusan knows neither its content nor its
// layout. Precondition: nobody holds the lock of its state.
void MakeForeign(Resource& resource);
// The same for all resources that are bound to the memory, and for the memory. Precondition: the
// memory is locked.
void MakeForeign(MemoryState& memory);

// Bytes of a memory object; empty: unknown.
struct MemoryRange {
  uint64_t begin = 0, end = 0;

  bool Overlaps(const MemoryRange& other) const { return begin < other.end && other.begin < end; }
  bool Contains(const MemoryRange& other) const { return begin <= other.begin && other.end <= end; }
};
// The bytes that an access to the extent certainly touches.
MemoryRange RangeInMemory(const Resource& resource, const Extent& extent);

// Whether bytes of the memory of a buffer, [first, last) from its start, may belong to another live
// resource that is bound to the memory. `last` may lie past the end of the memory.
bool MayBelongToOther(const Resource& buffer, uint64_t first, uint64_t last);

// Whether a write to `range` through the resource `written` makes the content of the image
// undefined. A part of the memory certainly belongs to the image only if it includes the image's
// first byte.
bool LosesContent(const Resource& image, const Resource& written, const MemoryRange& range);

// The live aliases of a resource. They may include resources that do not overlap a certain access.
// Precondition: the caller does not hold the lock of `state`.
std::vector<Resource*> AliasesOf(ScopedState& state);

}  // namespace gpusan::vulkan
