// What commands do to memory: their accesses, the bytes that they write, and mappings.
#pragma once

#include <cstdint>
#include <mutex>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/host/host_side.h"
#include "tracker/memory/shared_pointers.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"
#include "tracker/state/objects.h"
#include "tracker/state/ordering.h"
#include "tracker/state/pointers.h"

namespace gpusan {

struct LaunchPattern;

// Returns the access that a launch makes through one argument, as far as it is known before the
// kernel runs. The region is in bytes of the resource's root.
Access AccessOf(const Launch& launch, const LaunchArgument& argument);

// Returns whether a transfer of `bytes` into the resource may be a flag for the host: the program
// can poll one word of memory that both share.
inline bool MaySignal(const Resource& destination, uint64_t bytes) {
  return destination.has(kMappedHost) && bytes <= 8;
}

// Checks the accesses of commands and adds them to the histories of resources and of host memory.
// Call the Check functions, then Ordering::Begin, then the Record functions, before the real call;
// after it the Commit functions or Rollback. Thread-safe. Holds no lock while it runs rules.
class Accesses {
 public:
  Accesses(Ordering& ordering, HostSide& host_side, Objects& objects, Pointers& pointers)
      : ordering_(ordering), host_side_(host_side), objects_(objects), pointers_(pointers) {}
  Accesses(const Accesses&) = delete;
  Accesses& operator=(const Accesses&) = delete;

  // Looks up the host blocks of the transfer, and runs the rules.
  void CheckTransfer(Call& call, Transfer& transfer);
  void CheckLaunch(Call& call, const Launch& launch);

  // Checks the command's accesses for races, and adds them to the histories.
  void RecordTransfer(Call& call, Command& command, const Transfer& transfer);
  void RecordLaunch(Call& call, Command& command, const Launch& launch);
  // As RecordLaunch, for a launch with the kernel's current arguments that repeats one of this
  // pattern. Begins with the access of index `first`.
  void RecordRepeated(Call& call, Command& command, const Kernel& kernel,
                      const LaunchPattern& pattern, size_t first = 0);
  // As above, for one access to a resource. The region is in bytes of the resource's root.
  void Record(Call& call, Command& command, Resource* resource, const Access& access);
  // As above, for host memory. The region contains addresses.
  void RecordHost(Call& call, Command& command, const Access& access);
  // Records that the command may use the host memory at `data`, which must therefore live until the
  // command completes or LetGoOfHost is called.
  void HoldHost(const Command& command, const void* data);
  void LetGoOfHost(const Command& command, const void* data);
  // As Record, for a command that allocates or frees the whole resource.
  void RecordLifetime(Call& call, Command& command, Resource* resource, AccessRole role);
  // Records that the command of the origin may access the memory of the root, which must therefore
  // live until the command completes.
  void Hold(Resource& root, const AccessOrigin& origin) {
    int dropped;
    {
      std::lock_guard lock(root.lock);
      dropped = root.history.Hold(root.bytes, origin, ordering_.host());
    }
    ordering_.NoteDropped(dropped);
  }
  // As Record and RecordHost, for a tracked command whose epoch and origin are set in neither
  // access yet. They are set.
  void RecordAccess(Call& call, Command& command, Resource* resource, Access& access);
  void RecordHostAccess(Call& call, Command& command, const Side& side, bool write);

  // --- Memory that one API exports and another API of the process imports

  // Records that `imported` is the memory `exporter` from byte `offset` on.
  void NoteImport(Resource& exporter, Resource& imported, uint64_t offset);
  // Checks an access of the exporting API for races with the importing ones, and adds it to the
  // histories of the imports that it touches. `access.region` is one row in bytes of `exporter`.
  // Takes locks of resources only.
  void RecordByExporter(Call& call, const Command& command, Resource& exporter,
                        const Access& access);

  // Mark the bytes that a command writes, after the real call has succeeded.
  void CommitTransfer(const Transfer& transfer);
  void CommitLaunch(const Launch& launch);
  // Returns the bytes of the root that count as written when a kernel whose code is not known may
  // write the resource. Kernels may find other bytes of memory by their address, and an image of a
  // buffer has the layout of the buffer.
  static Region WrittenByKernel(const Resource& resource) {
    const Resource& root = *resource.root;
    if (root.by_address() || resource.image != nullptr) return Region::Linear(0, root.bytes);
    return Region::Linear(resource.root_offset, resource.bytes);
  }
  // Marks the bytes of the root outside of which a kernel, whose code is known, writes nothing.
  static void MarkWrittenByKernel(Resource* root, const Region& written);
  // Removes the recorded accesses of the command. Call it when the real call failed and enqueued
  // nothing.
  void Rollback(const Command& command);
  // Call it before the Rollback of a launch whose accesses a fast path recorded.
  void TouchAll(Command& command, const Launch& launch);

  // Checks that no pending command writes the host memory that the call itself reads.
  void CheckHostRead(Call& call, const void* pointer, uint64_t bytes);
  // Records that the program freed the host memory that the resource uses as its own.
  void NoteStorageFreed(Call& call, Resource& resource);

  // Marks bytes of the resource as written. The region is in bytes of the resource's root.
  void MarkWritten(Resource* resource, const Region& in_root);
  // Remembers that a transfer failed that would have written bytes for the first time, to explain a
  // later read of them. `code` is the result of the call.
  void NoteFailedWrite(Call& call, const Transfer& transfer, int64_t code);

  // --- Mappings

  // Records that `command` maps the region of `transfer` at `pointer`. `host_bytes`: size of the
  // mapped host memory; 0: not known, or shared memory, whose addresses stay valid.
  void AddMapping(Call& call, const Command& command, const Transfer& transfer, const void* pointer,
                  uint64_t host_bytes);
  // Removes the mapping at `pointer` and stores it in `*removed`. Returns false, after adding the
  // finding, if the pointer is not mapped. Call RestoreMapping when the real call fails.
  bool RemoveMapping(Call& call, Resource* resource, const void* pointer, Mapping* removed);
  void RestoreMapping(Resource* resource, const Mapping& mapping);
  // Reports the commands that use the host memory of `removed`, a mapping of `root` at an address
  // that the driver chose, and that may run after `command`, which unmaps it.
  void CheckUnmapped(Call& call, const Command& command, const Resource& root,
                     const Mapping& removed);

  // --- The addresses with which kernels are launched

  const LaunchBases& launch_bases() const { return launch_bases_; }
  // Records that a kernel of `timeline` uses the resource from `address` on.
  void NoteLaunchBase(const Resource& resource, uintptr_t address, TimelineId timeline) {
    if (resource.kind == ObjectKind::kDeviceMemory)
      launch_bases_.Note(address, timeline, FullWaits(resource));
  }

 private:
  void CheckMappings(Call& call, const Command& command, Resource& resource, const Region& region,
                     bool writes, bool unsure, const Kernel* kernel, uint32_t argument);
  // Checks that a map for writing overlaps no region that is mapped for writing.
  void CheckOwnMemory(Call& call, const Command& command, Resource& resource,
                      const Resource& storage);
  void CheckMap(Call& call, const Command& command, Resource& resource, const Region& region);
  void Hold(Command& command, Resource& root);
  // Stores which element sizes the first write of a resource may have left out of its byte count.
  void NoteElementSizes(const Transfer& transfer);
  // Marks the resources that the call's new findings name, so that the same unwritten memory is not
  // reported again. `first` is the number of findings that the call had before.
  [[gnu::noinline]] static void NoteUnwritten(const Call& call, size_t first, const Launch& launch);

  Ordering& ordering_;
  HostSide& host_side_;
  Objects& objects_;
  Pointers& pointers_;
  LaunchBases launch_bases_;
};

}  // namespace gpusan
