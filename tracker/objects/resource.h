// Memory: buffers, images, allocations, and what the program has mapped of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tracker/memory/init_map.h"
#include "tracker/model/region.h"
#include "tracker/objects/object.h"
#include "tracker/order/access.h"

namespace gpusan {

// What API flags say about who may access a resource, in neutral terms.
enum ResourceFlag : uint16_t {
  kKernelReadOnly = 1 << 0,
  kKernelWriteOnly = 1 << 1,
  kHostNoAccess = 1 << 2,
  kHostReadOnly = 1 << 3,
  kHostWriteOnly = 1 << 4,
  kUsesHostMemory = 1 << 5,    // lives in the program's host block
  kCopiedHostMemory = 1 << 6,  // was filled from a host block at creation
  kHostVisible =
      1 << 7,          // fine-grained SVM, managed, mapped for good: host accesses cannot be seen
  kImported = 1 << 8,  // content and accesses from elsewhere
  // The host writes it unseen, and running kernels share it with the host on purpose; transfers are
  // exact.
  kMappedHost = 1 << 9,
  kStreamOrdered = 1 << 10,  // allocated in the order of a stream
  kFreedInOrder = 1 << 11,   // ... and freed in it
  kOutlivesContext = 1 << 12,
  kSynchronous = 1 << 13,  // calls that may return early wait for what they do to it
  kBoundMemory = 1 << 14,  // its memory is another resource, which it is bound to
  // Released, and nothing had happened to it but what its part says (Tracker::Renew).
  kRenewable = 1 << 15,
};

// Extent and format of an image.
struct ImageInfo {
  uint64_t extent[3] = {1, 1, 1};  // texels; array layers count as the last used dimension
  uint8_t dimensions = 1;          // how many of extent[] regions address, layers included
  bool array = false;
  bool in_part = false;      // belongs to the ObjectPart of its resource
  uint32_t texel_bytes = 0;  // 0: format unknown, nothing is judged
  uint32_t channels = 0;
  uint32_t native_type = 0;
  uint32_t native_order = 0;  // format as the API spells it, two numbers
  uint32_t native_data_type = 0;
  // Layout used for regions: tight, or that of the buffer the image was made from.
  uint64_t row_pitch = 0;
  union {
    uint64_t slice_pitch = 0;
    ImageInfo* next_free;  // while it is nobody's
  };
};
static_assert(sizeof(ImageInfo) == 64);

// A region that the program has mapped.
struct Mapping {
  uintptr_t pointer = 0;
  Region region;  // of the root resource
  SiteId site = kUnknownSite;
  bool write = false;
  bool read = false;
};

// What few resources have: kept apart, so that each live resource costs less. Guarded by the root's
// lock unless said otherwise.
struct ResourceExtra {
  ResourceExtra* next_free = nullptr;
  std::vector<Mapping> mappings;  // of a root resource
  // A call that should have written this resource failed; cleared by the next write that succeeds.
  // Read without the lock.
  std::atomic<const CallInfo*> failed_write_call{nullptr};
  SiteId failed_write_site = kUnknownSite;
  int32_t failed_write_code = 0;
};

// A stretch of device, image, shared or imported memory. 192 bytes.
struct Resource : Object {
  uint32_t unseen_writes = 0;  // Tracker::NoteUnseenWrites so far when it was created
  uint64_t bytes = 0;
  union {
    uint64_t native_flags = 0;
    Resource* next_free;  // while it is nobody's
  };
  uint16_t flags = 0;               // ResourceFlag
  bool unwritten_reported = false;  // a launch that reads its unwritten bytes is reported once
  uint8_t grave = 0;                // where it lies in the graveyard of a thread
  uint32_t parent_generation = 0;
  // A sub-resource's accesses are kept by its root, at this offset.
  Resource* root = nullptr;  // itself when it has no parent
  Resource* parent = nullptr;
  uint64_t root_offset = 0;
  uintptr_t address = 0;  // SVM base, or the host block that it lives in
  ImageInfo* image = nullptr;
  std::atomic<uint32_t> children{0};  // live sub-resources
  // Itself and sub-resources whose memory still refers to it: it is not recycled before they are.
  std::atomic<uint32_t> holders{1};
  AccessHistory history;
  InitMap init;
  // nullptr until it is needed; set under the root's lock, and gone only with the resource.
  std::atomic<ResourceExtra*> extra{nullptr};
  ObjectPart* part = nullptr;  // nullptr: the API keeps nothing

  // Of its own: parts share their parent's, and mapped memory counts where it was created.
  bool holds_memory() const {
    return parent == nullptr && kind != ObjectKind::kMappedMemory && !has(kBoundMemory);
  }
  bool has(ResourceFlag flag) const { return (flags & flag) != 0; }
  const ResourceExtra* more() const { return extra.load(std::memory_order_acquire); }
  const CallInfo* failed_write_call() const {
    const ResourceExtra* kept = more();
    return kept == nullptr ? nullptr : kept->failed_write_call.load(std::memory_order_relaxed);
  }
};
static_assert(sizeof(Resource) == 192);

}  // namespace gpusan
