// The API-neutral operations that hooks pass to the tracker and that rules check.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tracker/calls/launch_uses.h"
#include "tracker/memory/host_memory.h"
#include "tracker/model/call_info.h"
#include "tracker/model/finding.h"
#include "tracker/model/region.h"
#include "tracker/objects/event.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/queue.h"
#include "tracker/objects/resource.h"

namespace gpusan {

// A box of texels of an image.
struct ImageBox {
  uint64_t origin[3];
  uint64_t extent[3];
};

// One end of a transfer: a resource or host memory.
struct Side {
  Resource* resource = nullptr;  // nullptr: host memory
  Region region;                 // [bytes] in the resource (not its root), or from `pointer` on
  ImageBox box;                  // valid only if the resource is an image
  // The mip level of the box, if the image has several; nullptr: the image itself.
  const ImageInfo* level = nullptr;
  uint64_t row_pitch = 0;  // pitches [bytes] as passed to the call; 0: tight
  uint64_t slice_pitch = 0;
  bool pitches_given = false;  // the call has pitch arguments for this side
  bool flat = false;           // the copied image has no slices: the slice pitch must be 0
  // Valid if `pitches_given`: bytes of a row and rows of a slice, as passed to the call. `region`
  // merges rows without gaps between them.
  uint64_t row_bytes = 0;
  uint64_t rows = 0;
  // For images whose rows the call counts in bytes: the first byte of a row, and the size of a
  // texel [bytes]. texel_bytes 0: the call counts texels.
  uint64_t row_begin = 0;
  uint32_t texel_bytes = 0;
  const void* pointer = nullptr;  // host memory, or an SVM address inside `resource`
  // Host memory only; set by the tracker.
  bool block_known = false;
  // The call does not access this host memory after it returns, even if the command is pending.
  bool complete_on_return = false;
  HostBlock block;  // valid only if block_known

  bool whole_texels() const {
    return texel_bytes == 0 || (row_begin % texel_bytes == 0 && row_bytes % texel_bytes == 0);
  }
  bool is_host() const { return resource == nullptr; }
  bool is_image() const { return resource != nullptr && resource->image != nullptr; }
};

enum class TransferKind : uint8_t { kWrite, kRead, kCopy, kFill, kMap, kUnmap };

// A command (or part of one) that accesses exactly known bytes.
struct Transfer {
  TransferKind kind = TransferKind::kCopy;
  Side source;       // unused for fills
  Side destination;  // unused for maps: `source` is the mapped side
  bool blocking = false;
  uint64_t pattern_bytes = 0;  // fills
  bool map_read = false;       // maps
  bool map_write = false;
  // Programs map such memory once, also for reading only, to read and write by its address.
  bool map_pinned = false;
  // A copy within one resource must have the same pitches on both sides.
  bool one_layout = false;
  // Checked when it is recorded for later execution: the content of the objects at that time is
  // unknown.
  bool recorded = false;

  bool reads_source() const { return kind != TransferKind::kFill; }
  bool has_destination() const {
    return kind != TransferKind::kMap && kind != TransferKind::kUnmap;
  }
};

// The most frequent transfer: between host memory and a resource, by a command without a wait list.
struct HostCopy {
  Queue* queue;
  Resource* resource;
  Region region;        // in the resource (not its root); within its bounds
  const void* pointer;  // host memory without gaps
  uint64_t bytes;
  bool write;  // writes the resource
  bool blocking;
  // Set when the command begins.
  Epoch epoch;
  uint32_t gates;
};

// A copy of one row of bytes between two resources, or a fill of one row, by a non-blocking command
// without a wait list.
struct LinearTransfer {
  Resource* source = nullptr;  // nullptr: a fill
  Resource* destination = nullptr;
  uint64_t source_offset = 0, destination_offset = 0;  // [bytes] in the resources (not their roots)
  uint64_t bytes = 0;
  uint64_t pattern_bytes = 1;  // fills; a power of two
  // Set when the command begins: the destination may have unwritten bytes.
  bool writes_new = false;

  // In bytes of the destination's root.
  Region written() const {
    return Region::Linear(destination->root_offset + destination_offset, bytes);
  }
};

// A launch by a command without a wait list, of a kernel whose arguments were set one by one. The
// values of integer arguments matter only because they may be offsets.
struct PlainLaunch {
  Queue* queue;
  Kernel* kernel;
  uint64_t work_items;  // total; not 0
  bool may_offset;      // a global offset may move accesses to other bytes
  LaunchShape shape;    // only for kernels with a summary
  // Set when the command begins.
  Epoch epoch;
  uint32_t gates;
  bool writes_new;  // a written resource may have unwritten bytes
};

// Creation of a memory resource, before the real call.
struct Creation {
  ObjectKind kind = ObjectKind::kBuffer;
  uint64_t bytes = 0;
  uint16_t flags = 0;
  std::string (*flags_text)(uint64_t native_flags) = nullptr;
  uint64_t native_flags = 0;
  // Two mutually exclusive flags, or the error in host_ptr; nullptr: none.
  const char* conflict = nullptr;
  bool conflict_is_pointer = false;
  const void* host_pointer = nullptr;  // nullptr: none given
  uint64_t host_bytes = 0;             // bytes that the call reads or uses at host_pointer
  uint64_t row_pitch = 0, slice_pitch = 0;
  const ImageInfo* image = nullptr;
  Resource* parent = nullptr;
  uint64_t parent_offset = 0;
  uint64_t parent_alignment = 0;  // [bytes]; 0: unknown
};

// The creation of a texture, surface or view from a resource.
struct Binding {
  ObjectKind kind = ObjectKind::kTexture;
  const Resource* resource = nullptr;
  // The covered bytes, for resources that are not images.
  Region region;
  uint64_t alignment = 0;  // required alignment of region.offset [bytes]; 0: none
  bool pitches_given = false;
  uint64_t row_pitch = 0;
  uint64_t row_bytes = 0;
  uint64_t pitch_alignment = 0;  // required alignment of the pitch [bytes]; 0: none
  // The argument of a call that uses the resource directly; nullptr: the call creates an object.
  const char* argument = nullptr;
  const char* missing_usage = nullptr;  // required usage flag that the resource lacks
  const char* needed_format = nullptr;  // required format, if the resource has another one
};

// The value of a kernel argument in a launch.
struct LaunchArgument {
  Resource* resource = nullptr;
  uint64_t offset = 0;  // of the pointer in the resource [bytes]
  uint32_t index = 0;
  uint16_t element_bytes = 0;
  Direction direction = Direction::kUnknown;
  // The kernel may access more than the bytes from the pointer on: the resource is named by
  // execution information, or its address is inside an argument.
  bool indirect = false;
  bool may_offset = false;  // like Launch::may_offset, for this argument only
  // From the summary of the kernel (refine_launch.h):
  bool ranged = false;   // the kernel accesses only [first, last) from the pointer
  bool certain = false;  // it accesses each of these bytes in `direction`
  bool derived = false;  // `direction` follows from the code, not from the declaration
  // These share a byte: launches write their arguments to memory.
  bool possible : 1 = false;    // only if it accesses the argument at all
  bool understood : 1 = false;  // the code of the kernel shows all accesses through the argument
  bool sure : 1 = false;        // some work item surely accesses the argument in `direction`
  bool unwaited : 1 = false;    // Sureness::kUnwaited, if `certain`
  bool somewhere : 1 = false;   // it surely accesses the argument, but which bytes is not known
  // Not 0: it gives no values to bytes outside of Launch::write_bounds[bounds - 1].
  uint8_t bounds = 0;
  uint64_t first = 0;  // [bytes]
  uint64_t last = 0;
};
static_assert(sizeof(void*) != 8 || sizeof(LaunchArgument) == 48);

// Bytes of a resource.
struct ByteRange {
  uint64_t begin = 0, end = 0;
};

struct Launch {
  Kernel* kernel = nullptr;
  absl::Span<const LaunchArgument> arguments;
  uint64_t work_items = 0;  // total; 0: unknown
  bool may_offset = false;  // an integral argument or a global offset may move accesses
  bool recorded = false;    // see Transfer::recorded
  // For a launch that was recorded earlier and runs now: the recording call. nullptr: a direct
  // launch.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
  absl::Span<const int64_t> integers;   // known values of integral arguments
  int writable_arguments = 0;           // memory arguments with a writing or unknown direction
  std::vector<ByteRange> write_bounds;  // of arguments whose memory has unwritten bytes

  void Bound(LaunchArgument* argument, ByteRange written) {
    if (write_bounds.size() >= UINT8_MAX) return;
    write_bounds.push_back(written);
    argument->bounds = static_cast<uint8_t>(write_bounds.size());
  }
};

// The kinds of access of one launch, as words (AccessKind::Word) by Direction, for arguments of
// which only the direction is known. `unknown`: how sure the accesses are if the kernel may read or
// write the argument.
using KindWords = std::array<uint64_t, 5>;
constexpr KindWords KindWordsFor(Sureness unknown, bool may_offset) {
  return {AccessKind::Word(true, true, unknown, may_offset),
          AccessKind::Word(false, true, Sureness::kExtent, may_offset),
          AccessKind::Word(true, false, Sureness::kExtent, may_offset),
          AccessKind::Word(true, true, unknown, may_offset),
          AccessKind::Word(false, false, Sureness::kExtent, may_offset)};
}

// A kernel may only read an argument that is not const. If it is the only writable argument, the
// kernel writes it, because otherwise the kernel has no effect.
inline const KindWords& KindWordsOf(int writable_arguments, bool may_offset) {
  static constexpr KindWords kWords[2][2] = {
      {KindWordsFor(Sureness::kPossible, false), KindWordsFor(Sureness::kPossible, true)},
      {KindWordsFor(Sureness::kExtent, false), KindWordsFor(Sureness::kExtent, true)}};
  return kWords[writable_arguments == 1][may_offset];
}

inline uint64_t KindWordOf(const KindWords& words, Direction direction) {
  return words[static_cast<size_t>(direction)];
}

// Returns AccessKind::argument of the argument with this index.
inline uint8_t NotedArgument(uint32_t index) {
  return index < UINT8_MAX ? static_cast<uint8_t>(index + 1) : 0;
}

// Returns how a kernel accesses the argument with this index, of which only the direction is known.
inline AccessKind KindOf(Direction direction, int writable_arguments, bool may_offset,
                         uint32_t index) {
  return AccessKind::Of(KindWordOf(KindWordsOf(writable_arguments, may_offset), direction),
                        NotedArgument(index));
}

// Returns the region of the root that an argument reaches: the bytes from `offset` to the end of
// the resource, or the whole image.
inline Region ReachedBy(const Resource& resource, uint64_t offset) {
  if (resource.image != nullptr) offset = 0;
  return Region::Linear(resource.root_offset + offset, resource.bytes - offset);
}

// A command during its enqueue call.
struct Command {
  Queue* queue = nullptr;
  Epoch epoch;
  Clock before;
  uint32_t gates = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;  // debug label of the queue
  // Complete when the call returns, so all later commands are ordered after it.
  bool blocking = false;
  absl::InlinedVector<Resource*, 16> touched;
  absl::InlinedVector<Region, 2> host_regions;  // absolute addresses
};

// Two unordered accesses, at least one of them a write.
struct Conflict {
  const Resource* resource = nullptr;  // nullptr: host memory
  const Access* earlier = nullptr;
  const Access* later = nullptr;
  // Both accesses belong to nodes of the graph that the call launches. Their calls and sites are
  // those that added the nodes.
  bool within_call = false;
  LabelId earlier_label = kNoLabel, later_label = kNoLabel;
  bool immediate = false;  // `later` is an access of the call itself, not of a command
  // The kernels that the two nodes launch; nullptr: other commands, or not known.
  const Kernel *earlier_kernel = nullptr, *later_kernel = nullptr;
};

// A recorded command refers to memory or an object that is released when the command runs.
struct StaleUse {
  const Object* object = nullptr;  // what was released; nullptr: unknown
  uintptr_t address = 0;
  const CallInfo* call = nullptr;  // the recording call; may be nullptr
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
  const Kernel* kernel = nullptr;  // has the address as an argument; nullptr: none
  uint32_t argument = 0;
  // A shader has the address of the destroyed buffer in its push constants.
  bool pushed_address = false;
};

// A use of a synchronization object, a swapchain image or a capture that the API forbids.
struct SyncMisuse {
  enum class Fault : uint8_t {
    // Semaphores
    kNothingToWaitFor,
    kSignaledTwice,
    kValueNotGreater,  // `value`
    // Images of a swapchain
    kPresentsUnacquired,  // `value` is the index
    kUsesUnacquired,
    // Events whose times are compared
    kTimingDisabled,  // `argument`
    kNeverRecorded,   // `argument`
    // Captures of streams and captured events
    kCaptureEndsElsewhere,
    kCaptureUnjoined,     // `others`
    kCaptureWrongThread,  // `mode`
    kNotCaptured,
    kAlreadyCaptured,
    kCaptureLost,
    kWaitsForCaptured,
    kCapturedEvent,
    kRecordedOutside,
    kOtherCapture,
    // User events and callbacks of events
    kReleasedBeforeSignal,  // `name` is the released object, `object` the event, `waiter`
    kBlockingInCallback,
    kEventInOwnWaitList,  // `value` is the index of the element
  };
  Fault fault = Fault::kNothingToWaitFor;
  const Object* object = nullptr;  // may be nullptr
  std::string name;                // of the object, if ObjectText does not name it
  const char* argument = "";
  uint64_t value = 0;
  std::string others;                 // the streams that are not joined
  std::string mode;                   // of the capture
  std::string capture;                // the stream in which the capture began; empty: no capture
  const CallInfo* earlier = nullptr;  // the call of the earlier signal; nullptr: none
  SiteId site = kUnknownSite;         // where the capture began, or of the earlier signal
  const CallInfo* waiter = nullptr;   // the first command that waits for the object; nullptr: none
  SiteId waiter_site = kUnknownSite;
  const char* vuid = "";  // the valid usage that is broken; "": none
};

// A call implicitly waits, or makes a queue wait, for queues with pending work.
struct HiddenWait {
  enum class Cause : uint8_t {
    kFree,          // the call frees memory
    kLegacyStream,  // the command is enqueued to the legacy stream
  };
  Cause cause = Cause::kFree;
  const Object* queue = nullptr;  // the first busy queue
  uint64_t others = 0;            // number of other busy queues
};

// An asynchronous copy of host memory that the device cannot access directly.
struct PageableCopy {
  const Transfer* transfer = nullptr;
};

// A module that the call could not load because of the content of its image.
struct InvalidModule {
  enum class Flaw : uint8_t {
    kUnreadable,   // no known form of an image
    kDamaged,      // `damage`
    kPtxTooNew,    // for the compiler of the driver
    kNoCode,       // no part of the image runs on the device
    kPtxRejected,  // the driver rejects the version of the PTX
    kNoCompiler,
    kCompilerDisabled,
    kRejected,  // the compiler or loader of the driver rejects the content
  };
  Flaw flaw = Flaw::kRejected;
  std::string name;     // of the file; empty: an image in memory
  std::string image;    // content of the image
  std::string damage;   // the damaged part; empty: none
  bool is_ptx = false;  // the image is PTX
  bool has_ptx = false;
  unsigned arch = 0;       // of the device: 90; 0: unknown
  std::string capability;  // of the device: "9.0"; empty: unknown
  std::string driver;
  std::string log;                 // compiler log; may be empty
  const Object* module = nullptr;  // lazily loaded: created before the driver examined the image
  // The program is known to check the result and to continue without the module.
  bool tried = false;
};

// A device fault that a call returned.
struct DeviceFault {
  struct Work {
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
    const Kernel* kernel = nullptr;  // launches only
    std::string flaw;  // finding about its arguments from the enqueue call; may be empty
  };
  struct Pending : Work {
    // Graphs: some of the recorded nodes with their recording calls, last first.
    std::vector<Work> nodes;
    size_t node_count = 0;  // number of all nodes
  };
  std::string meaning;       // of the return code
  std::string extent;        // where later calls return the code: "in the context"
  std::string recovery;      // steps after which the program can continue
  bool is_hardware = false;  // not caused by a command
  // Names for the nodes of a Pending and for their container.
  const char* recorded = "node";
  const char* recorder = "graph";
  std::vector<Pending> pending;  // commands not known to be complete, newest first
};

// A failed creation. Explains later uses of the NULL handle.
struct FailedCreation {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  int64_t code = 0;
  uint64_t bytes = 0;
  uintptr_t left = 0;  // value in the variable that should have received the handle
};

// The live memory created at one call site.
struct MemoryHolder {
  SiteId site = kUnknownSite;
  uint64_t bytes = 0;
  uint64_t count = 0;
  const CallInfo* call = nullptr;
};

// The live memory of an API by holder, for a failed allocation.
struct HeldMemory {
  uint64_t live_bytes = 0, live_count = 0;
  uint64_t largest_bytes = 0;          // largest successful allocation
  uint64_t pending_release_bytes = 0;  // released by the program, but still used by commands
  std::vector<const Resource*> largest;
  std::vector<MemoryHolder> holders;  // largest first
};

// A failed call, after all other rules have checked it.
struct Failure {
  int64_t code = 0;
  std::string clauses;  // possible reasons, from the API's table
  std::string facts;    // shadow state of the arguments (Call::FailureFacts)
  bool out_of_memory = false;
  // `clauses` names the limit that no device exceeds; out_of_memory is set.
  bool over_limit = false;
  bool of_launch = false;  // the device lacks resources for a launch; out_of_memory is set
  const HeldMemory* held = nullptr;  // set by the tracker if out_of_memory, otherwise nullptr
  uint64_t requested_bytes = 0;
  std::vector<Fact> details;  // out_of_memory: memory sizes from the driver
  uint64_t device_bytes = 0;  // out_of_memory: all memory of the device; 0: not known
  bool tolerated = false;     // a query or probe whose failure programs expect
  // The call site that caused the failure: role, one line, site. Empty: none.
  std::string role, party;
  SiteId party_site = kUnknownSite;
};

// Objects that still exist when a context or the process ends.
struct Leftover {
  const Object* object = nullptr;
  uint64_t bytes = 0;
  uint64_t count = 1;   // objects of the same creation site
  std::string held_by;  // lines: what still refers to the object
  bool at_exit = true;
};

}  // namespace gpusan
