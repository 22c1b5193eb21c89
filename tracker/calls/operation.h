// The neutral operations that hooks hand to the tracker and that rules judge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tracker/memory/host_memory.h"
#include "tracker/model/call_info.h"
#include "tracker/model/finding.h"
#include "tracker/model/region.h"
#include "tracker/objects/event.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/queue.h"
#include "tracker/objects/resource.h"

namespace gpusan {

// Texels of an image.
struct ImageBox {
  uint64_t origin[3];
  uint64_t extent[3];
};

// One end of a transfer: a resource or host memory.
struct Side {
  Resource* resource = nullptr;  // nullptr: host memory
  Region region;                 // bytes: in the resource itself (not its root), or from `pointer`
  ImageBox box;                  // set only when the resource is an image
  // The mip level that the box is in, where the image has several; nullptr: the image itself.
  const ImageInfo* level = nullptr;
  uint64_t row_pitch = 0;  // as the call gave them; 0 = tight
  uint64_t slice_pitch = 0;
  bool pitches_given = false;  // the call has pitch arguments for this side
  uint64_t row_bytes =
      0;  // then: of one row, and the rows of one slice, as the call gave them (`region` joins
  uint64_t rows = 0;  // rows that follow each other without a gap)
  // Images whose rows the call counts in bytes: x, and `row_bytes`, against bytes a texel; 0: not
  // so.
  uint64_t row_begin = 0;
  uint32_t texel_bytes = 0;
  const void* pointer = nullptr;  // host memory, or an SVM address inside `resource`
  // Filled in by the tracker for host memory.
  bool block_known = false;
  // Host memory that the call itself is done with when it returns, even if the command is pending.
  bool complete_on_return = false;
  HostBlock block;  // set only when block_known

  bool whole_texels() const {
    return texel_bytes == 0 || (row_begin % texel_bytes == 0 && row_bytes % texel_bytes == 0);
  }
  bool is_host() const { return resource == nullptr; }
  bool is_image() const { return resource != nullptr && resource->image != nullptr; }
};

enum class TransferKind : uint8_t { kWrite, kRead, kCopy, kFill, kMap, kUnmap };

// A command (or part of one) whose bytes are exactly known.
struct Transfer {
  TransferKind kind = TransferKind::kCopy;
  Side source;       // unused for fills
  Side destination;  // unused for maps (the mapped side is `source`)
  bool blocking = false;
  uint64_t pattern_bytes = 0;  // fills
  bool map_read = false;       // maps
  bool map_write = false;
  bool recorded =
      false;  // judged when it is recorded for later: what the objects will hold is not known

  bool reads_source() const { return kind != TransferKind::kFill; }
  bool has_destination() const {
    return kind != TransferKind::kMap && kind != TransferKind::kUnmap;
  }
};

// The transfer that programs make most: between host memory and a resource, by a command that names
// no events to wait for.
struct HostCopy {
  Queue* queue;
  Resource* resource;
  Region region;        // of the resource itself, not its root; lies inside it
  const void* pointer;  // host memory, packed
  uint64_t bytes;
  bool write;  // to the resource
  bool blocking;
  // Filled in when it begins.
  Epoch epoch;
  uint32_t gates;
};

// A copy of one row of bytes between two resources, or a fill of such a row, by a command that
// names no events to wait for and is not waited for.
struct LinearTransfer {
  Resource* source = nullptr;  // nullptr: a fill
  Resource* destination = nullptr;
  uint64_t source_offset = 0, destination_offset = 0;  // bytes, of the resources themselves
  uint64_t bytes = 0;
  uint64_t pattern_bytes = 1;  // of a fill; a power of two
  // Filled in when it begins: to something that may not have been written before.
  bool writes_new = false;
};

// A launch by a command that names no events to wait for, of a kernel whose arguments were set one
// by one: the values of its integers count for nothing but that they may be offsets.
struct PlainLaunch {
  Queue* queue;
  Kernel* kernel;
  uint64_t work_items;  // in all, not 0
  bool may_offset;      // a global offset could lead to other bytes
  // Filled in when it begins.
  Epoch epoch;
  uint32_t gates;
  bool writes_new;  // to something that may not have been written before
};

// Creation of a memory resource, before the real call.
struct Creation {
  ObjectKind kind = ObjectKind::kBuffer;
  uint64_t bytes = 0;
  uint16_t flags = 0;
  std::string (*flags_text)(uint64_t native_flags) = nullptr;
  uint64_t native_flags = 0;
  const char* conflict = nullptr;  // the two flags that exclude each other, or what about host_ptr
                                   // is wrong; nullptr: none
  bool conflict_is_pointer = false;
  const void* host_pointer = nullptr;  // nullptr: none given
  uint64_t host_bytes = 0;             // what the call reads or uses there
  uint64_t row_pitch = 0, slice_pitch = 0;
  const ImageInfo* image = nullptr;
  Resource* parent = nullptr;
  uint64_t parent_offset = 0;
  uint64_t parent_alignment = 0;  // bytes; 0: not known
};

// A texture, surface or view that is to be made from a resource.
struct Binding {
  ObjectKind kind = ObjectKind::kTexture;
  const Resource* resource = nullptr;
  // What it covers, for resources that are no images.
  Region region;
  uint64_t alignment = 0;  // bytes, of region.offset; 0: none needed
  bool pitches_given = false;
  uint64_t row_pitch = 0;
  uint64_t row_bytes = 0;
  uint64_t pitch_alignment = 0;  // bytes; 0: none needed
  // The argument of the call that uses the resource as it is; nullptr: something is made of it.
  const char* argument = nullptr;
  const char* missing_usage = nullptr;  // the flag that the resource should have been created with
  const char* needed_format = nullptr;  // what its format has to be, if it is another
};

// A kernel argument as it will be used by a launch.
struct LaunchArgument {
  Resource* resource = nullptr;
  uint64_t offset = 0;  // bytes into the resource that the pointer has
  uint32_t index = 0;
  uint16_t element_bytes = 0;
  Direction direction = Direction::kUnknown;
  bool indirect = false;    // not an argument: named by execution information, or inside one
  bool may_offset = false;  // as of the launch, for this argument alone
};

struct Launch {
  Kernel* kernel = nullptr;
  absl::Span<const LaunchArgument> arguments;
  uint64_t work_items = 0;  // in all; 0 unknown
  bool may_offset = false;  // an integral argument or a global offset could lead to other bytes
  bool recorded = false;    // as of a transfer
  // Of one that was recorded before and runs now: the call that did; nullptr: it is launched at
  // once.
  const CallInfo* recorder = nullptr;
  SiteId recorded_at = kUnknownSite;
  absl::Span<const int64_t> integers;  // integral arguments, where they are known
  int writable_arguments = 0;  // memory arguments whose direction allows writing or is unknown
};

// What a kernel does with an argument of which only the direction is known.
inline AccessKind KindOf(Direction direction, int writable_arguments, bool may_offset) {
  const bool unknown = direction == Direction::kUnknown || direction == Direction::kReadWrite;
  // Not being const does not mean being written; a kernel's only writable argument surely is, or it
  // would do nothing.
  return AccessKind::Of(AccessKind::Word(
      unknown || direction == Direction::kWrite, unknown || direction == Direction::kRead,
      unknown && writable_arguments != 1 ? Sureness::kPossible : Sureness::kExtent, may_offset));
}

// Where: bytes of the root resource from the pointer's offset on, or the whole image.
inline Region ReachedBy(const Resource& resource, uint64_t offset) {
  if (resource.image != nullptr) offset = 0;
  return Region::Linear(resource.root_offset + offset, resource.bytes - offset);
}

// A command while it is being enqueued.
struct Command {
  Queue* queue = nullptr;
  Epoch epoch;
  Clock before;
  uint32_t gates = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;  // of the queue
  bool blocking = false;  // complete when the call returns: nothing later can be unordered with it
  absl::InlinedVector<Resource*, 16> touched;
  absl::InlinedVector<Region, 2> host_regions;  // absolute addresses
};

// Two accesses that nothing orders.
struct Conflict {
  Resource* resource = nullptr;  // nullptr: host memory
  const Access* earlier = nullptr;
  const Access* later = nullptr;
  // Both are nodes of what the call launches; their calls and sites are those that made the nodes.
  bool within_call = false;
  LabelId earlier_label = kNoLabel, later_label = kNoLabel;
};

// Something that was recorded for later refers to memory that is gone when it runs.
struct StaleUse {
  const Resource* resource = nullptr;  // released; nullptr: nothing is remembered of it
  uintptr_t address = 0;
  const CallInfo* call = nullptr;  // that recorded it; may be nullptr
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
  const Kernel* kernel = nullptr;  // that was given the address as an argument; nullptr: none
  uint32_t argument = 0;
};

// A synchronisation object is used in a way that its API forbids, and the call failed for it. The
// texts speak the API's language.
struct SyncMisuse {
  const Object* object = nullptr;  // may be nullptr
  std::string what, why, fix;
  std::string role, party;  // the other place that takes part; empty: none
  SiteId site = kUnknownSite;
};

// A call makes something wait for queues with pending work, and does not say so. The texts speak
// the API's language.
struct HiddenWait {
  const Object* queue = nullptr;  // the first that is busy
  uint64_t others = 0;            // how many more are
  std::string why, fix;
};

// An asynchronous copy of memory that the device does not reach by itself.
struct PageableCopy {
  const Transfer* transfer = nullptr;
  std::string why, fix;
};

// A module that the call could not load for what its image holds. The texts speak the API's
// language.
struct InvalidModule {
  std::string what, why, fix;
  std::string image;   // what it holds
  std::string device;  // what could be loaded, as far as it is known; may be empty
  std::string driver;
  std::string log;                 // of the compiler; may be empty
  const Object* module = nullptr;  // that was made from the image before anybody looked at it
  bool tried = false;  // the program is known to look at the answer, and to go on without
};

// A fault of the device that a call has told of.
struct DeviceFault {
  struct Work {
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
    const Kernel* kernel = nullptr;  // of launches
    std::string flaw;  // what was found about its arguments when it was enqueued; may be empty
  };
  struct Pending : Work {
    // Of a graph: what was recorded into it, last first, with the calls that did; not all of it.
    std::vector<Work> nodes;
    size_t node_count = 0;
  };
  std::string meaning;       // of the code
  std::string extent;        // where later calls return it: "in the context"
  std::string recovery;      // what the program has to do to go on
  bool is_hardware = false;  // no command is to blame
  // What a Pending's nodes are, and of what.
  const char* recorded = "node";
  const char* recorder = "graph";
  std::vector<Pending> pending;  // not known to be complete, newest first
};

// A failed creation, for the NULL handle that is used later.
struct FailedCreation {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  int64_t code = 0;
  uint64_t bytes = 0;
  uintptr_t left = 0;  // what the program has where the call should have written a handle
};

// The live memory that one call site created.
struct MemoryHolder {
  SiteId site = kUnknownSite;
  uint64_t bytes = 0;
  uint64_t count = 0;
  const CallInfo* call = nullptr;
};

// Who holds the memory of an API, for an allocation that failed.
struct HeldMemory {
  uint64_t live_bytes = 0, live_count = 0;
  uint64_t largest_bytes = 0;          // the largest single allocation that succeeded
  uint64_t pending_release_bytes = 0;  // released by the program, still used by commands
  std::vector<const Resource*> largest;
  std::vector<MemoryHolder> holders;  // largest first
};

// A call that failed, after all rules had their say.
struct Failure {
  int64_t code = 0;
  std::string clauses;  // possible reasons, from the API's table
  std::string facts;    // what the shadow state knows of the arguments
  bool out_of_memory = false;
  const HeldMemory* held = nullptr;  // not nullptr with out_of_memory; set by the tracker
  uint64_t requested_bytes = 0;
  std::vector<Fact> details;  // of memory that is used up: what the driver says
  bool tolerated = false;     // a failing query or probe that programs make on purpose
  // The place that made it fail: role, one line, site. Empty: none.
  std::string role, party;
  SiteId party_site = kUnknownSite;
};

// What is left when a context or the process ends.
struct Leftover {
  Object* object = nullptr;
  uint64_t bytes = 0;
  uint64_t count = 1;   // objects of the same site
  std::string held_by;  // lines: who still refers to it
  bool at_exit = true;
};

}  // namespace gpusan
