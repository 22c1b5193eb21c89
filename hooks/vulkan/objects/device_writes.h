// What the device did lately to memory that the host can reach, and what the host is known to have
// in common with it, in bytes of the memory.
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

// One use by a command of a buffer that is bound to the memory.
struct DeviceUse {
  uint64_t begin = 0, end = 0;  // bytes of the memory
  WeakRef<Resource> resource;
  QueueState* queue = nullptr;
  Epoch epoch;  // of its batch
  Position position = 0;
  uint64_t stage = 0, access = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
  bool write = false;
  bool exact = false;         // it certainly touches every byte
  bool gated = false;         // it may wait for an event that the host sets
  bool host_visible = false;  // a barrier of the buffer made the write visible to the host
  bool invalidated = false;   // by the host, since it was known to be complete

  bool Overlaps(uint64_t from, uint64_t to) const { return begin < to && from < end; }
};

// Of memory that is not coherent: hashes of its atoms as they were when host and device had the
// same, by a flush or an invalidation. Equal hashes may hide a change; a change that is told is
// one. Nothing is kept of more than kMaxBytes.
class AtomHashes {
 public:
  static constexpr uint64_t kMaxBytes = 16 << 20;

  // Before anything else. `atom`: bytes, a power of two.
  void Reset(uint64_t memory_bytes, uint64_t atom);
  // Host and device have the same in [begin, end). `memory`: where the host would find its first
  // byte.
  void Agree(uintptr_t memory, uint64_t begin, uint64_t end);
  // Nothing is known any more of what touches [begin, end).
  void Forget(uint64_t begin, uint64_t end);
  // The mapping of [begin, end) ends: what the host changed is remembered.
  void Close(uintptr_t memory, uint64_t begin, uint64_t end);
  // The first and last byte, beyond, that the host changed of the atoms that lie in [begin, end) as
  // a whole; false: it changed nothing. Of [mapped_begin, mapped_end) the content is looked at.
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

// Guarded by the lock of its memory.
struct HostView {
  static constexpr size_t kMaxUses = 16;

  // Of a use that is in the way of what the program seems to do with a mapping; judged when that
  // ends.
  struct Watch {
    DeviceUse use;
    uint64_t begin = 0, end = 0;  // what is hashed of it
    uint64_t hash = 0;
    Epoch last_write;  // of the device there, when the mapping began
  };

  // A later use of the same bytes by the same queue stands for an earlier one. Reads go when they
  // are complete.
  void Add(const DeviceUse& use, const HostClock& host);
  // The last write that touches any of these bytes; nullptr: none is known.
  DeviceUse* LastWrite(uint64_t begin, uint64_t end);
  // A write there may still change them.
  bool WritePending(uint64_t begin, uint64_t end, const HostClock& host) const;

  std::vector<DeviceUse> uses;  // oldest first
  InitMap written;              // by the device
  InitMap flushed;              // by the program
  AtomHashes agreed;
  absl::InlinedVector<Watch, 1> watched;
  SiteId told = kUnknownSite;  // the last mapping that something may have been told of
};

uint64_t HashOf(const void* bytes, uint64_t count);

}  // namespace gpusan::vulkan
