// Where rules are asked. Each check is a struct in rules/<id>.cc with static functions of the names
// below, as many as it needs; the build puts all of them into one unit whose dispatcher
// (rules/dispatch.inc) calls exactly those that exist. A rule reads shadow state and adds findings
// to the call; it changes nothing.
#pragma once

#include <algorithm>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/memory/growth_watch.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::rules {

// A use of a handle that is known but not usable.
struct HandleUse {
  const Object* object = nullptr;
  KindMask expected = 0;
  const char* argument = "";
  bool release = false;           // the call releases it
  const Object* owner = nullptr;  // set: `object` belongs to another context than `owner`
};

// A NULL handle or pointer where a creation failed before.
struct NullUse {
  const char* argument = "";
  ObjectKind kind = ObjectKind::kNone;
  const FailedCreation* failed = nullptr;  // never nullptr
  uintptr_t value = 0;                     // what the failed call left there
};

// A pointer that should be (part of) a shared allocation, or that is freed as one.
struct PointerUse {
  uintptr_t address = 0;
  uint64_t bytes = 0;
  const char* argument = "";
  const Resource* resource = nullptr;  // that contains it, live or released; nullptr: none known
  uint64_t offset = 0;
  bool free = false;
  // What the call needs there.
  enum class Expect : uint8_t { kShared, kDevice, kHost };
  Expect expect = Expect::kShared;
  KindMask kinds = ~KindMask{0};  // of what `free` may free
  bool block_known = false;
  // When it is ordinary host memory; with `block_released` one that is no more, given back there.
  HostBlock block;
  bool block_released = false;
  SiteId release_site = kUnknownSite;
};

// A pointer argument of a launch that points nowhere it could.
struct KernelPointer {
  enum class Fault : uint8_t {
    kUnknown,  // in no live allocation
    kFreed,
    kHost,   // host memory that the device cannot reach
    kNull,   // where other launches had a pointer
    kAtEnd,  // one past the end of `resource`, and nothing else of it is given to the kernel
  };
  const Kernel* kernel = nullptr;
  uint32_t index = 0;
  uintptr_t address = 0;
  Fault fault = Fault::kUnknown;
  bool reachable_host = false;         // what the host has at the address the device can reach
  const Resource* resource = nullptr;  // kFreed, kAtEnd
  HostBlock block;                     // kHost
  // As of a launch that was recorded before.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
};

// Where a launch was recorded that runs now, as a party.
template <typename Recorded>
void AddRecorder(FindingBuilder& finding, const Recorded& recorded) {
  if (recorded.recorder == nullptr) return;
  finding.Party("recorded", absl::StrCat("recorded by ", recorded.recorder->name),
                recorded.recorded_at);
}

// Host memory that goes away.
struct HostFree {
  HostBlock block;
  const Access* pending = nullptr;   // a command that still uses it
  const Resource* pinned = nullptr;  // a live object that lives in it
  const Resource* shared = nullptr;  // the block is really a shared allocation
};

struct MappingUse {
  const Resource* resource = nullptr;
  const void* pointer = nullptr;     // unmap of a pointer that is not mapped
  const Mapping* mapping = nullptr;  // device work on this mapping
  bool kernel = false;
  bool writes = false;
  bool unsure = false;  // whether it writes, on which all depends, cannot be seen
};

// Memory of one place that grows, or did when it was found.
struct Growing {
  GrowthFigure figure = GrowthFigure::kLive;
  Api api = Api::kNone;
  ObjectKind kind = ObjectKind::kNone;
  const CallInfo* creator = nullptr;
  uint64_t bytes = 0;  // held now
  uint64_t count = 0;
  const Growth* growth = nullptr;  // nullptr: it grows no more
  bool again = false;              // it was reported before
};

// Released memory that commands still hold, summed over the releases at one site.
struct Deferral {
  const Resource* resource = nullptr;
  const Access* pending = nullptr;
  uint64_t site_bytes = 0;
  uint64_t site_count = 0;
  uint64_t peak_bytes = 0;
};

// Two accesses within queues whose commands only barriers and semaphores order.
struct ScopeViolation {
  const Resource* resource = nullptr;
  const ScopedConflict* conflict = nullptr;
  // The barrier between them that came nearest; nullptr: there is none.
  const SubmissionOrder::Step* nearest = nullptr;
  LabelId submit_label = kNoLabel;  // of the submission that the later one is in
  // The earlier access went to this one, which has some of the same memory; nullptr: to `resource`.
  const Resource* alias = nullptr;
};

// An image that is in another layout than a command needs.
struct LayoutUse {
  const Resource* resource = nullptr;
  LayoutMap::Mismatch mismatch;
  bool wrong_kind = false;  // no layout of `mismatch.expected` will do for such a command
  const char* vuid = "";
};

// A use of a resource by a queue family that does not own it.
struct OwnershipUse {
  const Resource* resource = nullptr;
  Ownership::Misuse misuse = Ownership::Misuse::kNone;
  uint32_t owner = 0, family = 0;
  const char* vuid = "";
};

// Something is destroyed, recorded anew or changed while work that is not known to be complete uses
// it.
struct PendingUse {
  enum class Act : uint8_t { kDestroy, kRecord, kUpdate };
  Act act = Act::kDestroy;
  const Object* object = nullptr;
  const CallInfo* pending = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;  // of `pending`
  const char* vuid = "";
};

// A call on a command buffer that is not in the state that the call needs.
struct StateUse {
  const Object* object = nullptr;
  const char* state = "";   // that it is in: "initial", "recording", ...
  const char* needed = "";  // "in the recording state"
  const char* fix = "";
  const char* vuid = "";
};

// Submitted work that waits for what nothing will signal any more.
struct EndlessWait {
  const Object* object = nullptr;  // a semaphore
  uint64_t value = 0;              // of a timeline
  bool timeline = false;
  const CallInfo* waiter = nullptr;  // that submitted it
  SiteId site = kUnknownSite;
};

// Bytes that a recorded command reads when it runs.
struct ContentUse {
  const Resource* resource = nullptr;
  Region region;                // of a buffer
  uint32_t mip = 0, layer = 0;  // of an image
  // What left the image without content: a barrier from an undefined layout. nullptr: its creation.
  const CallInfo* origin = nullptr;
  SiteId origin_site = kUnknownSite;
  // What wrote something else that has the image's memory, and so made its content undefined;
  // nullptr: nothing did.
  const CallInfo* lost_call = nullptr;
  SiteId lost_site = kUnknownSite;
  const Resource* lost_to = nullptr;  // nullptr: gone by now
};

// Memory that a resource is bound to, or should be.
struct MemoryUse {
  enum class Fault : uint8_t {
    kUnbound,  // used without memory
    kFreed,    // used, and its memory has been freed
    kBoundTwice,
    kTooSmall,  // offset + size leave the memory
    kMisaligned,
    kWrongType,
    kNotMapped,  // unmapped, flushed or invalidated without a mapping
    kMappedTwice,
    kNotVisible,  // mapped, and the host cannot reach it
    kRange,       // mapped, flushed or invalidated beyond its end
    kAtom,        // flushed or invalidated in parts of atoms; `limit`: bytes of an atom
  };
  Fault fault = Fault::kUnbound;
  const Resource* resource = nullptr;  // may be nullptr where only the memory takes part
  const Resource* memory = nullptr;    // may be nullptr
  uint64_t offset = 0, bytes = 0;      // that the call names or needs
  uint64_t limit = 0;                  // bytes of the memory, or the alignment
  const char* argument = "";
  const char* vuid = "";
  SiteId site = kUnknownSite;  // of the other party: the first binding, the mapping, the free
};

// The host uses memory through a mapping, or seems to have, in the way of what the device did or
// does there.
struct MappedUse {
  enum class Fault : uint8_t {
    kUnflushed,      // the device reads what the host wrote and did not flush
    kNeverFlushed,   // ... where nothing was ever flushed
    kUninvalidated,  // the host reads what the device wrote, and has not invalidated it
    kWriteInFlight,  // the host wrote what pending work uses
    kReadInFlight,   // the host reads what pending work writes
    kNoHostBarrier,  // the host reads what the device wrote, and no barrier made that visible to it
  };
  Fault fault = Fault::kUnflushed;
  bool certain = true;                 // else the access follows from what the program called
  const Resource* memory = nullptr;    // never nullptr
  const Resource* resource = nullptr;  // bound there; nullptr: it is gone
  uint64_t offset = 0, bytes = 0;      // of the memory
  const CallInfo* device = nullptr;    // what used it on the device
  SiteId device_site = kUnknownSite;
  LabelId device_label = kNoLabel;
  bool device_writes = false;
  uint64_t stages = 0, accesses = 0;  // of the device
  SiteId map_site = kUnknownSite;
};

inline std::string MappedText(const MappedUse& use, const Vocabulary& words) {
  return ObjectText(use.resource != nullptr ? *use.resource : *use.memory, words);
}
// What all findings about mapped memory have in common.
inline void AddMappedUse(FindingBuilder& finding, const MappedUse& use, const Vocabulary& words) {
  finding
      .Party("device-access",
             absl::StrCat(use.device->name, use.device_writes ? " writes it" : " reads it",
                          words.CommandLabel(use.device_label)),
             use.device_site)
      .Party("map", "mapped", use.map_site);
  if (use.resource != nullptr) finding.CreatedBy(*use.resource).About(*use.resource);
  finding.About(*use.memory)
      .Fact("memory_offset", use.offset)
      .Fact("size_bytes", use.bytes)
      .Fact("device_stages", words.Stages(use.stages))
      .Fact("device_access", words.Accesses(use.accesses));
}

// The events of the hot path have a plain case of which the dispatcher asks nobody. The
// contract: no rule speaks of an event for which these return true. A rule that would must make
// them return false for what it looks at; a unit test asks every rule about plain events
// (tracker_plain_test).
inline bool IsPlain(const Transfer& transfer) {
  const bool writes = transfer.kind == TransferKind::kWrite;
  if (!writes && transfer.kind != TransferKind::kRead) return false;
  const Side& device = writes ? transfer.destination : transfer.source;
  const Side& host = writes ? transfer.source : transfer.destination;
  if (device.is_host() || !host.is_host() || host.pointer == nullptr || device.pitches_given)
    return false;
  const Resource& resource = *device.resource;
  constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
  if ((resource.flags & kHostFlags) != 0 || resource.failed_write_call() != nullptr) return false;
  if (!writes && !resource.root->init.SurelyCovered(device.region.Shifted(resource.root_offset)))
    return false;
  if (host.block_known &&
      host.region.end() > host.block.end() - reinterpret_cast<uintptr_t>(host.pointer))
    return false;
  if (resource.image == nullptr) {
    return !host.pitches_given && device.region.linear() && device.region.end() <= resource.bytes;
  }
  if (host.row_pitch != 0 || host.slice_pitch != 0 || resource.has(kKernelReadOnly) ||
      !device.whole_texels())
    return false;
  const ImageInfo& image = *resource.image;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t limit = axis < image.dimensions ? image.extent[axis] : 1;
    if (device.box.extent[axis] > limit ||
        device.box.origin[axis] > limit - device.box.extent[axis])
      return false;
  }
  return true;
}
// `copy` with its region inside the resource, and tight where it is of an image.
inline bool IsPlain(const HostCopy& copy) {
  const Resource& resource = *copy.resource;
  constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
  if ((resource.flags & kHostFlags) != 0 || resource.failed_write_call() != nullptr) return false;
  if (resource.image != nullptr && resource.has(kKernelReadOnly)) return false;
  return copy.write || resource.root->init.SurelyCovered(copy.region.Shifted(resource.root_offset));
}
inline bool IsPlain(const LinearTransfer& transfer) {
  constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
  const auto plain = [&](const Resource& resource, uint64_t offset) {
    return resource.image == nullptr && (resource.flags & kHostFlags) == 0 &&
           resource.failed_write_call() == nullptr && offset <= resource.bytes &&
           transfer.bytes <= resource.bytes - offset;
  };
  const Resource& destination = *transfer.destination;
  if (!plain(destination, transfer.destination_offset)) return false;
  if (transfer.source == nullptr) {
    return ((transfer.destination_offset | transfer.bytes) & (transfer.pattern_bytes - 1)) == 0;
  }
  const Resource& source = *transfer.source;
  return plain(source, transfer.source_offset) &&
         source.root->init.SurelyCovered(
             Region::Linear(source.root_offset + transfer.source_offset, transfer.bytes));
}
// What a kernel with `work_items`, each for an element, does through one of its arguments.
// `integers`: the values of its integral arguments are known, and may count elements.
inline bool IsPlainUse(const Resource& resource, Direction direction, uint16_t element_bytes,
                       uint64_t work_items, bool integers) {
  if ((resource.flags & (kKernelReadOnly | kKernelWriteOnly)) != 0) return false;
  if (direction != Direction::kRead) return true;
  if (resource.failed_write_call() != nullptr) return false;
  return resource.root->init.all() ||
         (!integers && SaturatingMultiply(work_items, element_bytes) != resource.bytes);
}
inline bool IsPlain(const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (!IsPlainUse(*argument.resource, argument.direction, argument.element_bytes,
                    launch.work_items, !launch.integers.empty())) {
      return false;
    }
  }
  return true;
}

inline bool IsPlain(const Creation& creation) {
  return creation.conflict == nullptr && creation.host_pointer == nullptr &&
         creation.parent == nullptr && creation.row_pitch == 0 && creation.slice_pitch == 0;
}
inline bool IsPlain(const Object& object) {  // that is released
  if (object.kind == ObjectKind::kEvent) return true;
  return (MaskOf(object.kind) &
          AnyOf(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kPhysicalMemory)) != 0 &&
         static_cast<const Resource&>(object).more() == nullptr;
}

void OnCreate(const Creation& creation, Call& call);
void OnTransfer(const Transfer& transfer, Call& call);
void OnLaunch(const Launch& launch, Call& call);
void OnBinding(const Binding& binding, Call& call);
// The same, asking every rule even of plain events; for the test of IsPlain.
void AskAllOnCreate(const Creation& creation, Call& call);
void AskAllOnRelease(const Object& object, Call& call);
void AskAllOnTransfer(const Transfer& transfer, Call& call);
void AskAllOnLaunch(const Launch& launch, Call& call);
void OnHandleUse(const HandleUse& use, Call& call);
void OnNullUse(const NullUse& use, Call& call);
void OnPointerUse(const PointerUse& use, Call& call);
void OnKernelPointer(const KernelPointer& pointer, Call& call);
void OnConflict(const Conflict& conflict, Call& call);
void OnStaleUse(const StaleUse& use, Call& call);
void OnSyncMisuse(const SyncMisuse& misuse, Call& call);
void OnHiddenWait(const HiddenWait& wait, Call& call);
void OnPageableCopy(const PageableCopy& copy, Call& call);
void OnInvalidModule(const InvalidModule& invalid, Call& call);
void OnHostFree(const HostFree& free, Call& call);
void OnMappingUse(const MappingUse& use, Call& call);
// The last reference of an object goes away; commands may be pending.
void OnRelease(const Object& object, Call& call);
void OnDeferral(const Deferral& deferral, Call& call);
void OnDeviceFault(const DeviceFault& fault, Call& call);
void OnScopeViolation(const ScopeViolation& violation, Call& call);
void OnLayoutUse(const LayoutUse& use, Call& call);
void OnOwnershipUse(const OwnershipUse& use, Call& call);
void OnPendingUse(const PendingUse& use, Call& call);
void OnStateUse(const StateUse& use, Call& call);
void OnEndlessWait(const EndlessWait& wait, Call& call);
void OnMemoryUse(const MemoryUse& use, Call& call);
void OnContentUse(const ContentUse& use, Call& call);
void OnMappedUse(const MappedUse& use, Call& call);
void OnFailure(const Failure& failure, Call& call);
void OnLeftover(const Leftover& leftover, Call& call);
// What one place holds grows.
void OnGrowing(const Growing& growing, Call& call);

}  // namespace gpusan::rules
