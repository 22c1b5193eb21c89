// Memory: buffers, images, allocations, and their mappings.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "tracker/memory/init_map.h"
#include "tracker/model/region.h"
#include "tracker/objects/object.h"
#include "tracker/order/access.h"

namespace gpusan {

// Properties of a resource that follow from API flags and calls, in API-neutral terms.
enum ResourceFlag : uint16_t {
  kKernelReadOnly = 1 << 0,
  kKernelWriteOnly = 1 << 1,
  kHostNoAccess = 1 << 2,
  kHostReadOnly = 1 << 3,
  kHostWriteOnly = 1 << 4,
  kUsesHostMemory = 1 << 5,    // its memory is a host block of the program
  kCopiedHostMemory = 1 << 6,  // initialized from a host block at creation
  // Fine-grained SVM, managed or persistently mapped memory: host accesses are not intercepted.
  kHostVisible = 1 << 7,
  kImported = 1 << 8,  // other APIs or processes may write and access it
  // The program shares it between the host and running kernels by design. Host writes are not
  // intercepted; accesses of transfers are exact.
  kMappedHost = 1 << 9,
  kStreamOrdered = 1 << 10,  // allocated in stream order
  kFreedInOrder = 1 << 11,   // allocated and freed in stream order
  kOutlivesContext = 1 << 12,
  kSynchronous = 1 << 13,  // calls that may return early still wait for their accesses to it
  kBoundMemory = 1 << 14,  // its memory is another resource, to which it is bound
  // Released, and without state beyond its part, so that Objects::Renew can reuse it.
  kRenewable = 1 << 15,
};

// Extent and format of an image.
struct ImageInfo {
  uint64_t extent[3] = {1, 1, 1};  // [texels]; array layers are the last used dimension
  uint8_t dimensions = 1;          // dimensions of extent[] that regions address, with layers
  bool array = false;
  bool in_part = false;      // owned by the ObjectPart of its resource
  uint32_t texel_bytes = 0;  // 0: format unknown, regions are not checked
  uint32_t channels = 0;
  uint32_t native_type = 0;
  uint32_t native_order = 0;  // with native_data_type: the format in the API's numbers
  uint32_t native_data_type = 0;
  // Memory layout for regions [bytes]: tight, or the layout of the buffer that the image was
  // created from.
  uint64_t row_pitch = 0;
  union {
    uint64_t slice_pitch = 0;
    ImageInfo* next_free;  // in the free list
  };

  // The size of all texels, without gaps [bytes].
  uint64_t bytes() const { return extent[0] * extent[1] * extent[2] * texel_bytes; }
  // Whether the other image has the same size, format and memory layout.
  bool Resembles(const ImageInfo& other) const {
    return std::equal(extent, extent + 3, other.extent) && dimensions == other.dimensions &&
           array == other.array && texel_bytes == other.texel_bytes && channels == other.channels &&
           native_type == other.native_type && native_order == other.native_order &&
           native_data_type == other.native_data_type && row_pitch == other.row_pitch &&
           slice_pitch == other.slice_pitch;
  }
};
static_assert(sizeof(ImageInfo) == 64);

// A region that the program has mapped.
struct Mapping {
  uintptr_t pointer = 0;
  Region region;  // in the root resource
  SiteId site = kUnknownSite;
  bool write = false;
  bool read = false;
};

struct Resource;

// A part of memory that another API of the process has imported.
struct ImportedPart {
  WeakRef<Resource> resource;  // of the other API, with a history of its own
  uint64_t offset = 0;         // in the exported memory [bytes]
};

// Data that few resources need, allocated separately to keep Resource small. Guarded by the lock of
// the root unless a comment says otherwise.
struct ResourceExtra {
  ResourceExtra* next_free = nullptr;
  std::vector<Mapping> mappings;  // root resources only
  std::vector<ImportedPart> imports;
  // The failed call that should have written this resource; cleared by the next successful write.
  // Read without the lock.
  std::atomic<const CallInfo*> failed_write_call{nullptr};
  SiteId failed_write_site = kUnknownSite;
  int32_t failed_write_code = 0;
  // The call that freed the host memory which is the memory of this root. Read without the lock.
  std::atomic<const CallInfo*> storage_freed{nullptr};
  SiteId storage_freed_site = kUnknownSite;
};

// A range of device, image, shared or imported memory.
struct Resource : Object {
  uint32_t unseen_writes = 0;  // count of Objects::NoteUnseenWrites calls at creation
  uint64_t bytes = 0;
  union {
    uint64_t native_flags = 0;
    Resource* next_free;  // in the free list
  };
  uint16_t flags = 0;               // ResourceFlag
  bool unwritten_reported = false;  // a launch that reads its unwritten bytes was reported
  uint8_t grave = 0;                // index in the graveyard of a thread
  uint32_t parent_generation = 0;
  // The root stores the accesses of a sub-resource, at `root_offset` [bytes].
  Resource* root = nullptr;  // the resource itself if it has no parent
  Resource* parent = nullptr;
  uint64_t root_offset = 0;
  uintptr_t address = 0;  // SVM base, or address of the host block that is its memory
  ImageInfo* image = nullptr;
  std::atomic<uint32_t> children{0};  // live sub-resources
  // The resource itself plus the sub-resources that refer to it. It is recycled after them.
  std::atomic<uint32_t> holders{1};
  AccessHistory history;
  InitMap init;
  // nullptr until first needed. Set under the lock of the root, freed with the resource.
  std::atomic<ResourceExtra*> extra{nullptr};
  ObjectPart* part = nullptr;  // data of the hooks; nullptr: none

  // True if the resource has memory of its own: sub-resources share their parent's memory, and
  // mapped memory is counted for its kPhysicalMemory.
  bool holds_memory() const {
    return parent == nullptr && kind != ObjectKind::kMappedMemory && !has(kBoundMemory);
  }
  bool has(ResourceFlag flag) const { return (flags & flag) != 0; }
  // True for a block of an allocator of the program (BlockPools).
  bool is_block() const { return by_address() && has(kBoundMemory); }
  const ResourceExtra* more() const { return extra.load(std::memory_order_acquire); }
  const CallInfo* failed_write_call() const {
    const ResourceExtra* kept = more();
    return kept == nullptr ? nullptr : kept->failed_write_call.load(std::memory_order_relaxed);
  }
  // The call that freed the storage of the root; nullptr: the storage exists.
  const CallInfo* storage_freed() const {
    const ResourceExtra* kept = root->more();
    return kept == nullptr ? nullptr : kept->storage_freed.load(std::memory_order_acquire);
  }
};
static_assert(sizeof(Resource) == 192);

inline bool IsBlock(const Object& object) {
  return object.is_memory() && static_cast<const Resource&>(object).is_block();
}

}  // namespace gpusan
