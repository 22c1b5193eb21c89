// Recent accesses of the device to host-visible memory, and the bytes that host and device are
// known to agree on. All ranges are bytes of the memory object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "tracker/memory/init_map.h"
#include "tracker/model/clock.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan::vulkan {

class QueueState;

// An access by a command to a buffer that is bound to the memory.
struct DeviceUse {
  uint64_t begin = 0, end = 0;  // bytes of the memory
  WeakRef<Resource> resource;
  QueueState* queue = nullptr;
  Epoch epoch;  // of the batch
  Position position = 0;
  uint64_t stage = 0, access = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
  bool write = false;
  bool exact = false;         // certainly accesses every byte
  bool gated = false;         // may wait for an event that the host sets
  bool host_visible = false;  // a barrier of the buffer made the write visible to the host
  bool invalidated = false;   // by the host, after the access was known to be complete

  bool Overlaps(uint64_t from, uint64_t to) const { return begin < to && from < end; }
};

// For memory that is not coherent: hashes of its atoms at the time when host and device agreed, by
// a flush or an invalidation, or when the device first read what the host had not flushed. Equal
// hashes may hide a change; a reported change is real. Memory beyond kMaxBytes is not hashed.
class AtomHashes {
 public:
  static constexpr uint64_t kMaxBytes = 16 << 20;

  // Must be called first. `atom`: bytes, a power of two.
  void Reset(uint64_t memory_bytes, uint64_t atom);
  // Host and device agree on [begin, end). `memory`: the address of the memory object's first byte,
  // by the current mapping.
  void Agree(uintptr_t memory, uint64_t begin, uint64_t end);
  // Keeps the content of those atoms in [begin, end) of which nothing is known: a later change of
  // them is one by the host. Precondition: the device does not write them.
  void KeepUnknown(uintptr_t memory, uint64_t begin, uint64_t end);
  // Drops the hashes of all atoms that overlap [begin, end).
  void Forget(uint64_t begin, uint64_t end);
  // Remembers which atoms the host changed. Called when the mapping of [begin, end) ends.
  void Close(uintptr_t memory, uint64_t begin, uint64_t end);
  // Returns whether the host changed an atom that lies completely in [begin, end), and the changed
  // range [*from, *to). Hashes the content of atoms in [mapped_begin, mapped_end).
  bool Changed(uintptr_t memory, uint64_t begin, uint64_t end, uint64_t mapped_begin,
               uint64_t mapped_end, uint64_t* from, uint64_t* to) const;

 private:
  static constexpr uint32_t kUnknown = 0;
  static constexpr uint32_t kChanged = 1;  // when its mapping ended

  uint32_t HashAt(uintptr_t memory, uint64_t atom) const;

  uint64_t memory_bytes_ = 0;
  uint64_t atom_ = 64;
  std::vector<uint32_t> hashes_;  // empty until the first agreement
};

// The accesses of the device to one memory object, and the agreement of host and device. Guarded by
// MemoryState::lock.
struct HostView {
  static constexpr size_t kMaxUses = 16;

  // An access that conflicts with what the program seems to do with a mapping. Checked when the
  // mapping ends.
  struct Watch {
    DeviceUse use;
    uint64_t begin = 0, end = 0;  // the hashed bytes
    uint64_t hash = 0;
    Epoch last_write;  // the device's last write to these bytes when the mapping began
  };

  // Adds an access. It replaces an earlier access of the same queue to the same bytes. Drops
  // completed reads.
  void Add(const DeviceUse& use, const HostClock& host);
  // The last write that overlaps [begin, end); nullptr: none is known.
  DeviceUse* LastWrite(uint64_t begin, uint64_t end);
  // Whether a pending write may change bytes of [begin, end).
  bool WritePending(uint64_t begin, uint64_t end, const HostClock& host) const;

  std::vector<DeviceUse> uses;  // oldest first
  InitMap written;              // by the device
  InitMap flushed;              // by the program
  AtomHashes agreed;
  absl::InlinedVector<Watch, 1> watched;
  SiteId reported_site =
      kUnknownSite;  // the last mapping for which a finding may have been reported
};

uint64_t HashOf(const void* bytes, uint64_t count);

}  // namespace gpusan::vulkan
