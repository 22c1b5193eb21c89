// Rule events that several checks or hooks share, and the functions that dispatch them. Other rule
// events have headers of their own in events/ and states/. Each check is a struct in
// rules/<group>/<id>.cc, with a static function for each event that it handles. The function has
// the name of the event's function, for example OnCreate. The build compiles all rules as one unit,
// whose dispatcher (rules/dispatch.inc) calls exactly the functions that exist. A rule reads shadow
// state and adds findings to the call. It never changes shadow state.
#pragma once

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/memory/growth_watch.h"
#include "tracker/objects/mapped_regions.h"
#include "tracker/scopes/layouts.h"
#include "tracker/scopes/scoped_history.h"

namespace gpusan::rules {

// A use of a handle that names a known object which this call cannot use.
struct HandleUse {
  const Object* object = nullptr;
  KindMask expected = 0;
  const char* argument = "";
  bool release = false;           // the call releases the object
  const Object* owner = nullptr;  // if set: `object` belongs to a different context than `owner`
};

// A call that releases or passes on more references of an object than their holder has.
struct ReferenceExcess {
  const Object* object = nullptr;
  uint64_t count = 0;              // references that the call takes from the holder
  uint64_t held = 0;               // references that the holder has
  const Object* holder = nullptr;  // nullptr: the program
};

// A handle that names no object, where the call requires one.
struct WildHandle {
  uintptr_t handle = 0;  // 0: NULL
  KindMask expected = 0;
  const char* argument = "";
};

// A NULL handle or pointer whose creation call failed earlier.
struct NullUse {
  const char* argument = "";
  ObjectKind kind = ObjectKind::kNone;
  const FailedCreation* failed = nullptr;  // never nullptr
  uintptr_t value = 0;                     // the value that the failed call returned
};

// A pointer that must lie in a shared allocation, or that the call frees as such an allocation.
struct PointerUse {
  uintptr_t address = 0;
  uint64_t bytes = 0;
  const char* argument = "";
  const Resource* resource = nullptr;  // contains `address`, live or released; nullptr: none known
  uint64_t offset = 0;
  bool free = false;
  // The kind of memory that the call requires at `address`.
  enum class Expect : uint8_t { kShared, kDevice, kHost };
  Expect expect = Expect::kShared;
  KindMask kinds = ~KindMask{0};  // the kinds that the call may free, if `free`
  bool block_known = false;
  // The host block at `address`, if `block_known`. With `block_released` the program has freed the
  // block at `release_site`.
  HostBlock block;
  bool block_released = false;
  SiteId release_site = kUnknownSite;
  // The program has unmapped the region that contains `address`; nullptr: it was not mapped. Then
  // `block` is the region, and `block_released` is set.
  const MappedRegion* unmapped = nullptr;
  // The call launches this kernel, whose list of pointers names `resource`; nullptr: it uses the
  // pointer itself.
  const Kernel* listed_by = nullptr;
};

// A pointer argument of a launch that points to memory which the kernel cannot use.
struct KernelPointer {
  enum class Fault : uint8_t {
    kUnknown,  // in no live allocation
    kFreed,
    kHost,   // host memory that the device cannot reach
    kNull,   // earlier launches passed a pointer
    kAtEnd,  // one past the end of `resource`; no other argument points into `resource`
  };
  const Kernel* kernel = nullptr;
  uint32_t index = 0;
  uintptr_t address = 0;
  Fault fault = Fault::kUnknown;
  bool reachable_host = false;         // the device can reach the host memory at `address`
  bool may_be_empty = false;           // may be the base of an empty part of a workspace
  bool conditional = false;            // the code may execute no access through the pointer
  const Resource* resource = nullptr;  // kFreed, kAtEnd
  HostBlock block;                     // kHost
  // Set if the launch was recorded earlier and runs now.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
};

// Adds the call that recorded the launch as a party. No-op for launches that were not recorded.
template <typename Recorded>
void AddRecorder(FindingBuilder& finding, const Recorded& recorded) {
  if (recorded.recorder == nullptr) return;
  finding.Party("recorded", absl::StrCat("recorded by ", recorded.recorder->name),
                recorded.recorded_at);
}

// The program frees a block of host memory.
struct HostFree {
  HostBlock block;
  const Access* pending = nullptr;       // a command that still uses it
  const Resource* pinned = nullptr;      // a live object whose storage is in the block
  const Resource* shared = nullptr;      // the block is really a shared allocation
  const MappedRegion* mapped = nullptr;  // the block is really a mapped region
  // The API's own call frees or unregisters the block. The API may wait for `pending` there, but
  // does not promise it.
  enum class ByApi : uint8_t { kNo, kFree, kUnregister };
  ByApi by_api = ByApi::kNo;
};

struct MappingUse {
  const Resource* resource = nullptr;
  const void* pointer = nullptr;     // an unmap passes this pointer, which is not mapped
  const Mapping* mapping = nullptr;  // a command uses this mapped region; nullptr: an unmap
  // The command is a launch of this kernel, and uses the resource through the argument; nullptr: it
  // is a transfer.
  const Kernel* kernel = nullptr;
  uint32_t argument = 0;
  bool writes = false;
  bool unsure = false;      // `writes` is not certain, and the finding depends on it
  bool map = false;         // the command maps the region again, for writing
  bool own_memory = false;  // the command reads the resource into its own host memory
};

// Memory from one call site that grows, or that grew when it was first reported.
struct Growing {
  GrowthFigure figure = GrowthFigure::kLive;
  Api api = Api::kNone;
  ObjectKind kind = ObjectKind::kNone;
  const CallInfo* creator = nullptr;
  uint64_t bytes = 0;  // held now
  uint64_t count = 0;
  const Growth* growth = nullptr;  // nullptr: the growth has ended
  bool again = false;              // an earlier finding reported the growth
};

// Released memory that commands still hold, summed over the releases at one site.
struct Deferral {
  const Resource* resource = nullptr;
  const Access* pending = nullptr;
  uint64_t site_bytes = 0;
  uint64_t site_count = 0;
  uint64_t peak_bytes = 0;
};

// Two conflicting accesses in queues whose commands are ordered only by barriers and semaphores.
struct ScopeViolation {
  const Resource* resource = nullptr;
  const ScopedConflict* conflict = nullptr;
  // The barrier between the accesses that comes closest to ordering them; nullptr: no barrier.
  const SubmissionOrder::Step* nearest = nullptr;
  LabelId submit_label = kNoLabel;  // of the submission that contains the later access
  // The resource of the earlier access, which shares memory with `resource`; nullptr: the earlier
  // access was to `resource`.
  const Resource* alias = nullptr;
};

// An image that is not in the layout that a command requires.
struct LayoutUse {
  const Resource* resource = nullptr;
  LayoutMap::Mismatch mismatch;
  bool wrong_kind = false;  // a command of this kind may not use layout `mismatch.expected`
  // A barrier or render pass changes `mismatch.expected` to another layout.
  bool changed = false;
  // The command may use an image in the layout in which the image is.
  bool usable = false;
  const char* vuid = "";
};

// A use of a resource by a queue family that does not own it.
struct OwnershipUse {
  const Resource* resource = nullptr;
  Ownership::Misuse misuse = Ownership::Misuse::kNone;
  uint32_t owner = 0, family = 0;
  // The family to which the owner released the resource; Ownership::kNobody: no transfer is under
  // way.
  uint32_t released_to = Ownership::kNobody;
  const CallInfo* recorder = nullptr;  // recorded the use
  SiteId recorded_at = kUnknownSite;
  const char* vuid = "";
};

// An object is destroyed, recorded again or updated while submitted work that uses it is not known
// to be complete.
struct PendingUse {
  enum class Act : uint8_t { kDestroy, kRecord, kUpdate };
  Act act = Act::kDestroy;
  const Object* object = nullptr;
  const CallInfo* pending = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;  // of `pending`
  const char* vuid = "";
};

// Submitted work that waits for a semaphore which no later operation can signal.
struct EndlessWait {
  const Object* object = nullptr;  // a semaphore
  uint64_t value = 0;              // of a timeline semaphore
  bool timeline = false;
  const CallInfo* waiter = nullptr;  // submitted the waiting work
  SiteId site = kUnknownSite;
};

// Bytes without defined content that a recorded command reads when it runs.
struct ContentUse {
  const Resource* resource = nullptr;
  Region region;                // of a buffer
  uint32_t mip = 0, layer = 0;  // of an image
  // The barrier from an undefined layout that discarded the content of the image; nullptr: the
  // image has had no content since its creation.
  const CallInfo* origin = nullptr;
  // The command that ended a render pass whose store operation discarded the content; nullptr: no
  // such command.
  const CallInfo* dropped_by = nullptr;
  SiteId origin_site = kUnknownSite;  // of one of the two
  // The call that wrote another resource in the memory of the image, which made the content of the
  // image undefined; nullptr: no such call.
  const CallInfo* lost_call = nullptr;
  SiteId lost_site = kUnknownSite;
  const Resource* lost_to = nullptr;  // the other resource; nullptr: destroyed since
};

// A faulty binding, mapping, flush or use of the memory of a resource.
struct MemoryUse {
  enum class Fault : uint8_t {
    kUnbound,  // used without memory
    kFreed,    // used after its memory was freed
    kBoundTwice,
    kTooSmall,  // offset + size exceed the size of the memory
    kMisaligned,
    kWrongType,
    kNotMapped,  // unmapped, flushed or invalidated while not mapped
    kMappedTwice,
    kNotVisible,   // mapped, but of a memory type that is not host-visible
    kRange,        // mapped, flushed or invalidated past its end
    kImportRange,  // imported or mapped past the end of memory of another API
    kAtom,         // flush or invalidation of partial atoms; `limit` is the atom size [bytes]
  };
  Fault fault = Fault::kUnbound;
  const Resource* resource = nullptr;  // nullptr if the fault concerns only the memory
  const Resource* memory = nullptr;    // may be nullptr
  uint64_t offset = 0, bytes = 0;      // the range that the call names or requires
  uint64_t limit = 0;                  // size of the memory [bytes], alignment, or memory type
  const char* argument = "";           // "": none, a recorded command uses the resource
  const char* vuid = "";
  SiteId site = kUnknownSite;  // of the other party: the first binding, the mapping, the free
};

// A host access through a mapping, observed or inferred, that conflicts with a device access to the
// same memory.
struct MappedUse {
  enum class Fault : uint8_t {
    kUnflushed,      // the device reads bytes that the host wrote and did not flush
    kNeverFlushed,   // as kUnflushed, and the memory was never flushed
    kUninvalidated,  // the host reads bytes that the device wrote, without an invalidation
    kWriteInFlight,  // the host wrote bytes that pending work uses
    kReadInFlight,   // the host reads bytes that pending work writes
    kNoHostBarrier,  // the host reads device writes that no barrier made visible to the host
  };
  Fault fault = Fault::kUnflushed;
  bool certain = true;               // false: the access is inferred from the calls of the program
  const Resource* memory = nullptr;  // never nullptr
  const Resource* resource = nullptr;  // bound to `memory`; nullptr: destroyed
  uint64_t offset = 0, bytes = 0;      // range in `memory`
  const CallInfo* device = nullptr;    // the device command
  SiteId device_site = kUnknownSite;
  LabelId device_label = kNoLabel;
  bool device_writes = false;
  uint64_t stages = 0, accesses = 0;  // of the device access
  SiteId map_site = kUnknownSite;
};

inline std::string MappedText(const MappedUse& use, const Vocabulary& words) {
  return ObjectText(use.resource != nullptr ? *use.resource : *use.memory, words);
}
// Adds the parties and facts that all findings about mapped memory share.
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
      .Fact("device_stages", words.StagesFact(use.stages))
      .Fact("device_access", words.AccessesFact(use.accesses));
}

// IsPlain() marks events of the hot path that no rule can report. The dispatcher skips these
// events. Contract: no rule adds a finding for an event for which IsPlain() returns true. A new
// rule that reports such an event must change IsPlain() to return false for it. tracker_plain_test
// calls every rule with events for which IsPlain() returns true.
inline bool IsPlain(const Transfer& transfer) {
  const bool writes = transfer.kind == TransferKind::kWrite;
  if (!writes && transfer.kind != TransferKind::kRead) return false;
  const Side& device = writes ? transfer.destination : transfer.source;
  const Side& host = writes ? transfer.source : transfer.destination;
  if (device.is_host() || !host.is_host() || host.pointer == nullptr || device.pitches_given)
    return false;
  const Resource& resource = *device.resource;
  constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
  if ((resource.flags & kHostFlags) != 0 || resource.failed_write_call() != nullptr ||
      resource.storage_freed() != nullptr) {
    return false;
  }
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
// Requires that the region of `copy` lies inside the resource, that the root has no extra and, for
// an image, that the host rows are tightly packed.
inline bool IsPlain(const HostCopy& copy) {
  const Resource& resource = *copy.resource;
  constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
  if ((resource.flags & kHostFlags) != 0 || resource.failed_write_call() != nullptr) return false;
  if (resource.image != nullptr && resource.has(kKernelReadOnly)) return false;
  return copy.write || resource.root->init.SurelyCovered(copy.region.Shifted(resource.root_offset));
}
// Requires that the roots have no extra.
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
  if (source.root == destination.root &&
      Overlaps(transfer.written(),
               Region::Linear(source.root_offset + transfer.source_offset, transfer.bytes)))
    return false;
  return plain(source, transfer.source_offset) &&
         source.root->init.SurelyCovered(
             Region::Linear(source.root_offset + transfer.source_offset, transfer.bytes));
}
// Whether no rule can report the access of a kernel through one argument. `work_items`: the size of
// the launch, one item an element. `integers`: the values of integer arguments are known, and one
// of them may be an element count.
inline bool IsPlainUse(const Resource& resource, Direction direction, uint16_t element_bytes,
                       uint64_t work_items, bool integers) {
  if ((resource.flags & (kKernelReadOnly | kKernelWriteOnly)) != 0) return false;
  if (direction != Direction::kRead) return true;
  if (resource.failed_write_call() != nullptr) return false;
  return resource.root->init.all() ||
         (resource.image == nullptr && !integers && element_bytes != 0 &&
          SaturatingMultiply(work_items, element_bytes) != resource.bytes);
}
// Whether the code of the kernel shows nothing about what the launch reads of the argument.
inline bool IsPlainRead(const LaunchArgument& argument) {
  return !argument.sure || argument.direction != Direction::kRead ||
         argument.resource->root->init.all() ||
         (argument.resource->by_address() && !argument.certain);
}
inline bool IsPlain(const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.resource->storage_freed() != nullptr || !IsPlainRead(argument) ||
        !IsPlainUse(*argument.resource, argument.direction, argument.element_bytes,
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
inline bool IsPlain(const Object& object) {  // a release of `object`
  if (object.kind == ObjectKind::kEvent) return true;
  return (MaskOf(object.kind) &
          AnyOf(ObjectKind::kBuffer, ObjectKind::kImage, ObjectKind::kPhysicalMemory)) != 0 &&
         static_cast<const Resource&>(object).more() == nullptr;
}

void OnCreate(const Creation& creation, Call& call);
void OnTransfer(const Transfer& transfer, Call& call);
void OnLaunch(const Launch& launch, Call& call);
void OnBinding(const Binding& binding, Call& call);
// Like the functions without the prefix RunAll, but without the IsPlain() test. For the test of
// IsPlain().
void RunAllOnCreate(const Creation& creation, Call& call);
void RunAllOnRelease(const Object& object, Call& call);
void RunAllOnTransfer(const Transfer& transfer, Call& call);
void RunAllOnLaunch(const Launch& launch, Call& call);
void OnHandleUse(const HandleUse& use, Call& call);
void OnReferenceExcess(const ReferenceExcess& excess, Call& call);
void OnWildHandle(const WildHandle& use, Call& call);
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
// The program releases the last reference of an object. Commands that use it may be pending.
void OnRelease(const Object& object, Call& call);
void OnDeferral(const Deferral& deferral, Call& call);
void OnDeviceFault(const DeviceFault& fault, Call& call);
void OnScopeViolation(const ScopeViolation& violation, Call& call);
void OnLayoutUse(const LayoutUse& use, Call& call);
void OnOwnershipUse(const OwnershipUse& use, Call& call);
void OnPendingUse(const PendingUse& use, Call& call);
void OnEndlessWait(const EndlessWait& wait, Call& call);
void OnMemoryUse(const MemoryUse& use, Call& call);
void OnContentUse(const ContentUse& use, Call& call);
void OnMappedUse(const MappedUse& use, Call& call);
void OnFailure(const Failure& failure, Call& call);
void OnLeftover(const Leftover& leftover, Call& call);
// The memory held by one call site grows.
void OnGrowing(const Growing& growing, Call& call);

// Checks that `object` belongs to `context`, which the call names itself and which may be nullptr.
inline void CheckOwner(Call& call, const Object* object, const Object* context,
                       const char* argument) {
  if (object->context != nullptr && context != nullptr && object->context != context) [[unlikely]]
    OnHandleUse({object, 0, argument, false, context}, call);
}
// Checks that two objects of one call belong to one context. Either may be nullptr.
inline void CheckContext(Call& call, const Object* a, const Object* b, const char* argument) {
  if (a == nullptr || b == nullptr || a->context == b->context) [[likely]]
    return;
  if (a->context != nullptr && b->context != nullptr) OnHandleUse({a, 0, argument, false, b}, call);
}

}  // namespace gpusan::rules
