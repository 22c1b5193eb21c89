// The tracker: the shadow state of a process in its parts, and what needs several parts at once.
//
// The tracker is API-neutral. Hooks call it around every real call. It holds no lock across a real
// call, and its only callback is the FindingSink.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/calls/shadow_state.h"
#include "tracker/host/host_side.h"
#include "tracker/state/accesses.h"
#include "tracker/state/block_pools.h"
#include "tracker/state/objects.h"
#include "tracker/state/ordering.h"
#include "tracker/state/pointers.h"

namespace gpusan {

// Owns the parts, one of each. Thread-safe.
class Tracker {
 public:
  Tracker(FindingSink& sink, HostMemory& host_memory, const TrackerOptions& options);
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  // Handles, addresses, creation and release.
  Objects& objects() { return objects_; }
  const Objects& objects() const { return objects_; }
  // Checks of pointers.
  Pointers& pointers() { return pointers_; }
  // Epochs of commands, snapshots, waits and signals.
  Ordering& ordering() { return ordering_; }
  const Ordering& ordering() const { return ordering_; }
  // Accesses of commands, written bytes and mappings.
  Accesses& accesses() { return accesses_; }
  // Allocations that an allocator of the program divides into blocks.
  BlockPools& block_pools() { return block_pools_; }
  // Host memory that commands and objects use.
  HostSide& host_side() { return host_side_; }
  const HostSide& host_side() const { return host_side_; }
  // Options, the sink of the findings, and what checks may read.
  ShadowState& shadow() { return shadow_; }
  const ShadowState& shadow() const { return shadow_; }

  // --- Fast paths of the most frequent commands (fast_commands.cc)

  // Fast path of Accesses::CheckTransfer, Ordering::Begin and Accesses::RecordTransfer in one call,
  // for a copy that no rule but a race can report and whose queue waits for nothing. Returns false,
  // without side effects except that a tick may be used up, for all other copies.
  bool BeginHostCopy(Call& call, HostCopy& copy);
  // Call it after the real call. `code` is the result of the call; 0 means success.
  void EndHostCopy(Call& call, const HostCopy& copy, int64_t code);
  // As BeginHostCopy, for a transfer that uses only resources.
  bool BeginLinearTransfer(Call& call, Command& command, Queue& queue, LinearTransfer& transfer);
  // Call one of these after the real call. `code` is the result of a call that certainly wrote
  // nothing; 0 if the call may have written.
  void CommitLinearTransfer(const LinearTransfer& transfer) {
    if (transfer.writes_new) [[unlikely]]
      CommitFirstWrite(transfer);
  }
  void RollbackLinearTransfer(Call& call, Command& command, const LinearTransfer& transfer,
                              int64_t code);
  // As BeginHostCopy and EndHostCopy, for a launch.
  bool BeginPlainLaunch(Call& call, PlainLaunch& launch);
  void EndPlainLaunch(const PlainLaunch& launch, bool success);
  // As above, for a launch whose arguments are passed in the call. Commit the launch, or roll it
  // back after Accesses::TouchAll. Sets `*writes_new` if the launch writes memory that may be
  // unwritten; otherwise nothing needs to be committed.
  bool BeginPlainLaunch(Call& call, Command& command, Queue& queue, const Launch& launch,
                        bool* writes_new);

  // --- What concerns all objects

  // Returns a snapshot after all commands of all live queues. For waits whose object is unknown.
  Snapshot SnapAll();
  // Checks the release of a known block by the program (free, munmap, realloc). Call it before the
  // real call.
  void OnHostFree(Call& call, const HostBlock& block);
  // Checks the release of shared memory over which an object may have been created.
  void OnSharedFree(Call& call, const Resource& shared);
  // The program has freed the block: an object whose memory it is must not be used any more.
  void NoteStorageFreed(Call& call, const HostBlock& block);
  // Checks that no command waits for a user event that is not set, if the call releases the last
  // reference to an object that such a command uses. Call it before Objects::Release.
  void CheckReleaseOrder(Call& call, Object& object);

  // --- Failures and leaks

  // Reports a failed call, unless `call.explained()`: a finding already explains the failure. Call
  // it after Call::Finish. Copies the finding to `*reported`, if there is one.
  void ReportFailure(Call& call, const Failure& failure, Finding* reported = nullptr);
  // Reports an asynchronous device fault that the call returned. After a fault objects cannot be
  // released, so later leaks of the API are not reported, except those of a context in an API that
  // releases objects after a fault (Vocabulary::ReleasesAfterFault).
  void ReportDeviceFault(Call& call, const DeviceFault& fault);
  // Whether a device fault of the API was reported in this process. Any thread may call it.
  bool HasFaulted(Api api) const {
    return (faulted_.load(std::memory_order_relaxed) >> static_cast<int>(api) & 1) != 0;
  }
  // Reports all live objects of the API as leaks: those of `context`, or those of the whole process
  // if it is nullptr.
  void ReportLeaks(const Vocabulary& words, Api api, Object* context);

 private:
  [[gnu::noinline]] void CommitFirstWrite(const LinearTransfer& transfer);
  void RecordHostCopy(Call& call, const HostCopy& copy, const AccessOrigin& origin, bool resource,
                      bool host);
  void RecordArgument(Call& call, Command& command, Resource& resource, const AccessKind& kind,
                      const Region& region);
  void RecordRow(Call& call, Command& command, Resource& resource, const AccessKind& kind,
                 uint64_t begin, uint64_t bytes, const AccessOrigin& origin);
  // BeginPlainLaunch for a kernel with a summary.
  bool BeginRepeatedLaunch(Call& call, PlainLaunch& launch);

  Ordering ordering_;
  HostSide host_side_;
  Objects objects_;
  Pointers pointers_;
  Accesses accesses_;
  BlockPools block_pools_;
  ShadowState shadow_;
  std::atomic<uint32_t> faulted_{0};  // one bit per Api: a device fault was reported
};

// Defined here because Call is below Tracker in the layers and cannot include this header.
inline Call::Call(Tracker& tracker, const CallInfo& info, const Vocabulary& vocabulary,
                  const void* return_address, const void* frame_address, SiteId site, LabelId label)
    : tracker_(tracker),
      shadow_(tracker.shadow()),
      info_(info),
      vocabulary_(vocabulary),
      return_address_(return_address),
      frame_address_(frame_address),
      site_(site),
      label_(label) {}

}  // namespace gpusan
