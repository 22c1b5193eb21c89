// The shadow state of a process: its objects, the order of its commands, and their accesses. Runs
// the rules on the events of each call.
//
// The tracker is API-neutral. Hooks call it around every real call. It holds no lock across a real
// call, and its only callback is the FindingSink. Every method is thread-safe unless its comment
// says otherwise. Objects that it returns stay readable until the process ends (slab.h), but may be
// recycled: compare generations (WeakRef) where that matters.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "tracker/base/sampled.h"
#include "tracker/base/slab.h"
#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/calls/shadow_state.h"
#include "tracker/memory/handle_map.h"
#include "tracker/memory/released_regions.h"
#include "tracker/model/order_point.h"
#include "tracker/objects/address_map.h"
#include "tracker/objects/event.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/object.h"
#include "tracker/objects/pending_signals.h"
#include "tracker/objects/queue.h"
#include "tracker/objects/resource.h"
#include "tracker/order/host_shadow.h"

namespace gpusan {

class CommandLog;

namespace rules {
struct KernelPointer;
}

// The properties of a resource that NewResource creates.
struct ResourceSpec {
  ObjectKind kind = ObjectKind::kBuffer;
  uintptr_t handle = 0;  // for memory that is named by its address: the base address
  Object* context = nullptr;
  uint64_t bytes = 0;
  uint64_t native_flags = 0;
  uint16_t flags = 0;
  const ImageInfo* image = nullptr;  // copied
  // Used instead of `image`: an ImageInfo inside the ObjectPart of the resource, with in_part set.
  // Not copied; it lives as long as the part.
  ImageInfo* part_image = nullptr;
  Resource* parent = nullptr;
  uint64_t parent_offset = 0;
  uintptr_t address = 0;
  bool initialized = false;
};

// Returns the access that a launch makes through one argument, as far as it is known before the
// kernel runs. The region is in bytes of the resource's root.
Access AccessOf(const Launch& launch, const LaunchArgument& argument);

class Tracker : public ShadowState {
 public:
  Tracker(FindingSink& sink, HostMemory& host_memory, const TrackerOptions& options);
  ~Tracker();
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  HostClock& host() { return host_; }
  HostMemory& host_memory() { return host_memory_; }
  Ledger& ledger() { return ledger_; }
  // Returns nullptr without TrackerOptions::command_log.
  CommandLog* command_log() { return kept_log_.get(); }
  // Switches the logging of commands on or off, for benchmarks. Not thread-safe: no other thread
  // may be in a method of the tracker.
  void SwitchCommandLog(bool on);
  // Returns the number of history entries that were dropped to keep the shadow state bounded.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  // --- Objects

  // Returns the object that the handle names, live or released; nullptr if it names none.
  [[gnu::always_inline]] Object* Find(Api api, uintptr_t handle) const {
    Object* object = handles_[static_cast<int>(api)].Find(handle);
    if (object != nullptr) object->MarkNamed();
    return object;
  }
  // As above, for APIs whose handles are unique only among the objects of one kind (KeyOf).
  [[gnu::always_inline]] Object* Find(Api api, ObjectKind kind, uintptr_t handle) const {
    return Find(api, KeyOf(api, kind, handle));
  }
  // Returns the live object of one of `kinds` that the handle names. Returns nullptr if the object
  // is unknown, which is no finding, or not usable, after adding the finding to the call.
  // `argument` is the parameter's name in the API.
  Object* Use(Call& call, uintptr_t handle, KindMask kinds, const char* argument) {
    Object* object = handle != 0 ? Find(call.info().api, handle) : nullptr;
    if (object != nullptr && (MaskOf(object->kind) & kinds) != 0 && object->live()) [[likely]]
      return object;
    UnusableHandle(call, handle, object, kinds, argument);
    return nullptr;
  }

  // As above, for a handle whose C type determines the kind.
  Object* Use(Call& call, ObjectKind kind, uintptr_t handle, const char* argument) {
    Object* object = handle != 0 ? Find(call.info().api, kind, handle) : nullptr;
    if (object != nullptr && object->live()) [[likely]]
      return object;
    UnusableHandle(call, handle, object, MaskOf(kind), argument);
    return nullptr;
  }

  // Each of the New functions creates a live object with one reference, and registers its handle.
  // An earlier object with the same handle can no longer be found. They never return nullptr.
  PlainObject* NewPlain(Call& call, ObjectKind kind, uintptr_t handle, Object* context);
  Queue* NewQueue(Call& call, uintptr_t handle, Object* context, bool in_order, uintptr_t device);
  Kernel* NewKernel(Call& call, uintptr_t handle, Object* context, PlainObject* program,
                    std::string name);
  // Creates a resource. Inline, because most of `spec` is constant at the call sites.
  [[gnu::always_inline]] inline Resource* NewResource(Call& call, const ResourceSpec& spec);
  // As above, for a call without a Call object; `site` is its call site.
  [[gnu::always_inline]] inline Resource* NewResource(const CallInfo& info, SiteId site,
                                                      const ResourceSpec& spec);
  // Reuses `object`, the previous object with the handle, for a new resource, without a lock or an
  // allocation. Requires that this thread released it with ReleasePlain, that no look-up has
  // returned it since its creation, and that `pristine(const Resource&)` is true: the content of
  // its ObjectPart fits the new resource. The part, the image in the part and the flags are
  // retained. Returns nullptr, without side effects, otherwise.
  template <typename Pristine>
  [[gnu::always_inline]] inline Resource* Renew(const CallInfo& info, SiteId site, Object* object,
                                                Object* context, uint64_t bytes,
                                                uint64_t native_flags, Pristine pristine);
  RecordedEvent* NewRecordedEvent(Call& call, uintptr_t handle, Object* context);
  Event* NewUserEvent(Call& call, uintptr_t handle, Object* context);
  // Creates the event of an enqueued command.
  Event* NewEvent(Call& call, uintptr_t handle, Object* context, const Command& command);
  // As above, for a command that is ordered only behind its own timeline.
  Event* NewEvent(Call& call, uintptr_t handle, Object* context, Epoch epoch, uint32_t gates);
  // Remembers the last failed creation of the kind, for later uses of the missing object. `left` is
  // the value in the program's variable where the call would have written the handle.
  void NoteFailedCreation(Call& call, ObjectKind kind, int64_t code, uint64_t bytes,
                          uintptr_t left = 0);
  // Returns true, after adding the finding, if the last failed creation of one of `kinds` left
  // `value` in the program's variable. 0 matches every failed creation.
  bool CheckFailedCreation(Call& call, uintptr_t value, KindMask kinds, const char* argument);
  // Returns the resource's extra, which it creates when there is none. The caller holds the lock of
  // the resource's root.
  ResourceExtra& ExtraOf(Resource& resource);

  // Adds a reference.
  void Retain(Call& call, Object* object);
  // Drops one reference, and releases the object with the last one. Call it before the real
  // release, because another thread may get the same handle right after it; call UndoRelease when
  // the real call fails. `ordered` means that the release is itself a command, which is ordered
  // after the commands that use the object.
  void Release(Call& call, Object* object, bool ordered = false);
  // Fast path of Release for a resource that is found only by its handle, has no accesses and no
  // sub-resources, and whose release no rule can report. Returns false, without side effects, for
  // all others. `site` is the call site of the release.
  [[gnu::always_inline]] inline bool ReleasePlain(Resource& resource, SiteId site);
  // Undoes Release after the real release failed. Has no effect if the object has left the
  // graveyard meanwhile.
  void UndoRelease(Object* object);
  // Releases all objects of the context, except those that outlive contexts. Visits all objects.
  void ReleaseAllOf(Call& call, Object* context);
  // Returns the live sub-resources of `parent`. Visits all resources.
  std::vector<Resource*> PartsOf(const Resource& parent);
  // Returns the live kernels of the program. Visits all kernels.
  std::vector<Kernel*> KernelsOf(const Object& program);
  // As Use, for a call that releases the handle: also adds the findings of a release, such as an
  // over-release. `found` is the result of Find.
  Object* UseForRelease(Call& call, uintptr_t handle, KindMask kinds, const char* argument) {
    return UseForRelease(call, Find(call.info().api, handle), handle, kinds, argument);
  }
  Object* UseForRelease(Call& call, Object* found, uintptr_t handle, KindMask kinds,
                        const char* argument);

  // --- Memory that is named by its address

  // Returns the live resource that contains the address, and sets `*offset` to the offset in it
  // [bytes]. Returns nullptr if there is none.
  Resource* FindAddress(uintptr_t address, uint64_t* offset) const;
  // Returns true if a resource with an address exists or has existed.
  bool has_addresses() const { return !addresses_.unused(); }
  // Returns a span that contains the addresses of all resources, live and released.
  AddressMap::Span address_span() const { return addresses_.span(); }
  // Returns the allocation that begins at the address, for a call that frees it. Adds findings for
  // pointers that the call may not free. The call may free resources of `kinds` whose flags, masked
  // with `of_flags`, equal `flags`.
  Resource* UseForFree(Call& call, uintptr_t address, const char* argument,
                       KindMask kinds = ~KindMask{0}, uint16_t of_flags = 0, uint16_t flags = 0);
  // Checks a pointer that must be a device pointer and is in no live allocation. Adds a finding if
  // it points to freed memory or host memory, or if nothing is known about it.
  void CheckDevicePointer(Call& call, uintptr_t address, uint64_t bytes, const char* argument);
  // Returns true if the last allocation that contained the address was freed in stream order.
  bool FreedInOrder(uintptr_t address);
  // Returns the number of releases of memory with an address. A check of an address in no live
  // allocation stays valid until this number grows.
  uint32_t releases() const { return released_regions_.count(); }
  // Checks a pointer argument of a launch that is in no live allocation. `pointer.fault` is the
  // kind of fault.
  void CheckKernelPointer(Call& call, const rules::KernelPointer& pointer);
  // As CheckDevicePointer, but reports only freed memory.
  void CheckFreedPointer(Call& call, uintptr_t address, const char* argument);
  // Forgets the released memory in this range. Call it when the addresses are allocated again.
  void ForgetReleased(uintptr_t address, uint64_t bytes);
  // Reports a pointer that must be a host pointer and is in `resource`, which the host cannot
  // access.
  void CheckHostPointer(Call& call, const Resource& resource, uint64_t offset,
                        const char* argument);
  // Checks a range of addresses that must lie inside one live shared allocation.
  void CheckSharedPointer(Call& call, uintptr_t address, uint64_t bytes, const char* argument);

  // --- Checks before the real call that need the shadow state; hooks run the others (rules.h)

  // Looks up the host blocks of the transfer, and runs the rules. Call it before RecordTransfer.
  void CheckTransfer(Call& call, Transfer& transfer);
  void CheckLaunch(Call& call, const Launch& launch);
  // Checks the address `use.address`, which recorded work uses and which is in no live allocation.
  void CheckStaleUse(Call& call, StaleUse use);
  // Adds a finding if two objects of one call belong to different contexts.
  void CheckContext(Call& call, const Object* a, const Object* b, const char* argument) {
    if (a == nullptr || b == nullptr || a->context == b->context) [[likely]]
      return;
    ForeignContext(call, *a, *b, argument);
  }

  // As above, for a call that names the context itself.
  void CheckOwner(Call& call, const Object* object, const Object* context, const char* argument);

  // --- Commands

  // Gives the command its epoch and its clock. `after_all` orders it after all earlier commands of
  // the queue, and `barrier` orders all later commands of the queue after it; an in-order queue
  // implies both. The command is untracked if `queue` is nullptr.
  void Begin(Call& call, Command& command, Queue* queue, absl::Span<Event* const> waits,
             bool after_all = false, bool barrier = false);
  // Checks the command's accesses for races, and adds them to the histories. Call it before the
  // real call.
  void RecordTransfer(Call& call, Command& command, const Transfer& transfer);
  void RecordLaunch(Call& call, Command& command, const Launch& launch);
  // As above, for one access to a resource. The region is in bytes of the resource's root.
  void Record(Call& call, Command& command, Resource* resource, const Access& access);
  // As above, for host memory. The region contains addresses.
  void RecordHost(Call& call, Command& command, const Access& access);
  // As above, for a command that allocates or frees the whole resource.
  void RecordLifetime(Call& call, Command& command, Resource* resource, AccessRole role);
  // Call these after the real call has succeeded. They mark the written bytes and, for a blocking
  // command, order later commands after it.
  void CommitTransfer(Command& command, const Transfer& transfer);
  void CommitLaunch(Command& command, const Launch& launch);
  void CommitBlocking(Command& command);
  // Fast path of CheckTransfer, Begin and RecordTransfer in one call, for a copy that no rule but a
  // race can report and whose queue waits for nothing (fast_commands.cc). Returns false, without
  // side effects except that a tick may be used up, for all other copies.
  bool BeginHostCopy(Call& call, HostCopy& copy);
  // Call it after the real call. `code` is the result of the call; 0 means success.
  void EndHostCopy(Call& call, const HostCopy& copy, int64_t code);
  // Fast path as above, for a launch.
  bool BeginPlainLaunch(Call& call, PlainLaunch& launch);
  void EndPlainLaunch(const PlainLaunch& launch, bool success);
  // Fast path of CheckLaunch, Begin and RecordLaunch for a launch whose arguments are passed in the
  // call. Commit the launch or roll it back like any other. Sets `*writes_new` if the launch writes
  // memory that may be unwritten; otherwise nothing needs to be committed.
  bool BeginPlainLaunch(Call& call, Command& command, Queue& queue, const Launch& launch,
                        bool* writes_new);
  // Fast path of Begin for a command that waits for no events. Returns false, without side effects,
  // if the queue waits for something.
  bool BeginPlain(Call& call, Command& command, Queue& queue) {
    AccessOrigin origin;
    return TakePlace(call, command, queue, &origin);
  }
  // Call it before the Rollback of a launch that BeginPlainLaunch began.
  void TouchAll(Command& command, const Launch& launch);
  // Fast path of CheckTransfer, Begin and RecordTransfer for a transfer that uses only resources.
  bool BeginLinearTransfer(Call& call, Command& command, Queue& queue, LinearTransfer& transfer);
  void CommitLinearTransfer(const LinearTransfer& transfer) {
    if (transfer.writes_new) [[unlikely]]
      MarkWritten(transfer.destination, DestinationOf(transfer));
  }
  // As Rollback, for a linear transfer. `code` is the result of a call that certainly wrote
  // nothing; 0 if the call may have written.
  void RollbackLinearTransfer(Call& call, Command& command, const LinearTransfer& transfer,
                              int64_t code);
  // Undoes Begin and the recorded accesses. Call it when the real call failed and enqueued nothing.
  void Rollback(Command& command);
  // Marks bytes of the resource as written. The region is in bytes of the resource's root.
  void MarkWritten(Resource* resource, const Region& in_root);
  // Marks all resources of the context as written, after a command whose writes are unknown.
  void MarkAllWritten(const Object* context);
  // As above, for the resources of all contexts, in constant time. For kernels that load pointers
  // from memory.
  void NoteUnseenWrites() { unseen_writes_.fetch_add(1, std::memory_order_relaxed); }
  // Remembers that a transfer failed that would have written bytes for the first time, to explain a
  // later read of them. `code` is the result of the call.
  void NoteFailedWrite(Call& call, const Transfer& transfer, int64_t code);

  // --- Waits of the host: later commands are ordered after the event or the queue's commands

  void WaitEvent(const Event& event);
  void WaitQueue(Queue& queue);
  // Records that the program signals a user event, and checks the accesses that were parked for it.
  // `status` < 0 means that the event failed: parked accesses are dropped.
  void SignalUserEvent(Call& call, Event& event, int32_t status);

  // --- Order that no event of a single command carries (order_points.cc)

  // Returns a snapshot after all commands that have been enqueued to the queue so far.
  Snapshot Snap(Queue& queue);
  // As above, into an existing snapshot, whose storage is reused. Costs one lock for an in-order
  // queue that waits for nothing.
  void Snap(Queue& queue, Snapshot* point);
  // Takes an epoch of its own in the queue, like a command without waits, and sets `*point` to a
  // snapshot after it.
  void TakePoint(Call& call, Queue& queue, Snapshot* point);
  // Orders `*point` after `other`, too.
  void JoinPoint(Snapshot* point, const Snapshot& other);
  // Returns a snapshot after all commands of all live queues. For waits whose object is unknown.
  Snapshot SnapAll();
  // Orders all later commands of the queue after `point`.
  void OrderBehind(Queue& queue, const Snapshot& point);
  // Orders all later commands after `point`, for which the host has waited.
  void WaitSnapshot(const Snapshot& point);
  // Orders all later commands of the queue after a semaphore value that no submission reaches yet.
  void GateBehind(Queue& queue, Object& semaphore, uint64_t value);
  // The semaphore reaches `value` at `point`: checks the accesses that were parked for it.
  void OpenGate(Call& call, const Object& semaphore, uint64_t value, const Snapshot& point);
  // The signal of this value will not be seen: drops the accesses that were parked for it.
  void AbandonGate(Call& call, const Object& semaphore, uint64_t value);

  // --- Mappings

  // Records that the program mapped the region `side` of the resource at `pointer`.
  void AddMapping(Call& call, Resource* resource, const Side& side, const void* pointer, bool read,
                  bool write);
  // Removes the mapping at `pointer` and stores it in `*removed`. Returns false, after adding the
  // finding, if the pointer is not mapped. Call RestoreMapping when the real call fails.
  bool RemoveMapping(Call& call, Resource* resource, const void* pointer, Mapping* removed);
  void RestoreMapping(Resource* resource, const Mapping& mapping);

  // --- Host memory

  // Returns true if a release of host memory needs OnHostFree.
  bool host_memory_busy() const {
    return own_host_memory_busy() || shared_blocks_.load(std::memory_order_relaxed) != 0;
  }
  // As above, but only for memory that the program itself allocated. The program may free that
  // memory after it has waited for the commands that use it.
  bool own_host_memory_busy() const {
    return host_shadow_.busy() || pinned_count_.load(std::memory_order_relaxed) != 0;
  }
  // Ends the check of host releases for a shared allocation, which the runtime may now free by
  // itself, on any thread.
  void UnwatchShared(const Resource& resource);
  // Checks the release of a known block by the program (free, munmap, realloc). Call it before the
  // real call.
  void OnHostFree(Call& call, const HostBlock& block);

  // --- Failures, leaks and the ledger

  // Reports a failed call, unless `call.explained()`: a finding already explains the failure. Call
  // it after Call::Finish.
  void ReportFailure(Call& call, const Failure& failure);
  // Reports an asynchronous device fault that the call returned. After a fault objects cannot be
  // released, so later leaks of the API are not reported, except those of a context in an API that
  // releases objects after a fault (Vocabulary::ReleasesAfterFault).
  void ReportDeviceFault(Call& call, const DeviceFault& fault);
  // Reports all live objects of the API as leaks: those of `context`, or those of the whole process
  // if it is nullptr.
  void ReportLeaks(const Vocabulary& words, Api api, Object* context);
  // Returns the call sites that hold memory, largest first, for the findings of out-of-memory ("3
  // buffers, 12 MiB, created at ...").
  std::vector<MemoryHolder> Holders(Api api);
  // Returns at most `count` live resources, largest first.
  std::vector<const Resource*> Largest(Api api, size_t count);
  // Returns the size of the memory that is released but still used by commands [bytes].
  uint64_t PendingReleaseBytes(Api api);
  // The memory of one call site. `kind` is the kind of one of its resources.
  struct SiteUse {
    Api api = Api::kNone;
    SiteId site = kUnknownSite;
    ObjectKind kind = ObjectKind::kNone;
    const CallInfo* call = nullptr;  // the call at the site
    uint64_t bytes = 0;
    uint64_t count = 0;
  };
  // Returns the live memory, with one entry per creation site and API. Visits all resources without
  // a lock: resources that are created or released meanwhile may be missing.
  std::vector<SiteUse> LiveBySite();
  // Returns the memory that is released but still used by commands, by the call sites of the
  // releases. Updates the list of pending releases first.
  std::vector<SiteUse> PendingBySite();
  // Returns the last failed creation of the kind; nullptr if there is none.
  const FailedCreation* LastFailedCreation(ObjectKind kind);

 private:
  // Adds the finding for a handle that is not usable. `object` is the object that the handle names,
  // or nullptr.
  void UnusableHandle(Call& call, uintptr_t handle, const Object* object, KindMask kinds,
                      const char* argument);
  void ForeignContext(Call& call, const Object& a, const Object& b, const char* argument);
  // Initializes the members of a new object except kind and handle, and makes it live.
  template <typename T>
  [[gnu::always_inline]] inline void Enliven(const CallInfo& info, T* object, Object* context);
  template <typename T>
  [[gnu::always_inline]] inline T* Register(const CallInfo& info, T* object, ObjectKind kind,
                                            uintptr_t handle, Object* context);
  // Sets the members of a sub-resource that come from its parent.
  [[gnu::noinline]] void SetParent(const ResourceSpec& spec, Resource* resource);
  // Adds memory that is named by its address, or that uses host memory of the program, to the
  // address maps. DropAddress removes it.
  void KeepAddress(const ResourceSpec& spec, Resource* resource);
  [[gnu::noinline]] void DropAddress(Resource* resource, bool ordered);
  // Puts a released object into a graveyard, and recycles the object that it evicts.
  void Bury(Object* object);
  // Returns a buried resource to its slab if no sub-resource holds it.
  void RecycleMemory(Resource* resource);
  // As Bury and RecycleMemory, for memory that is found only by its handle. RecyclePlain falls back
  // to RecycleMemory for a resource that has accesses, content, a parent or an extra.
  [[gnu::always_inline]] inline void BuryPlain(Resource* resource);
  [[gnu::always_inline]] inline void RecyclePlain(Resource* resource);
  struct OwnGraveyard;
  // Returns the graveyard of the thread; nullptr if it has none.
  [[gnu::always_inline]] inline OwnGraveyard* OwnGraveyardOf(unsigned thread);
  [[gnu::noinline]] OwnGraveyard* MakeOwnGraveyard(unsigned thread);
  void RecycleOther(Object* object);
  [[gnu::always_inline]] inline void Forget(Object* object);
  [[gnu::noinline]] void ForgetContent(Resource& resource);
  // Writes the command to the command log. `after_all` is as in Begin.
  void Log(const Command& command, absl::Span<Event* const> waits, bool after_all);
  // Runs the rules on two conflicting accesses.
  void Judge(Call& call, Resource* resource, const Access& earlier, const Access& later);
  // Orders later commands after the snapshots with which these gates opened, because the host has
  // waited for a command behind the gates.
  void JoinHost(GateSet gates);
  // Runs the rules on the pairs of accesses that were parked behind a gate that is now open.
  void JudgeOpened(Call& call, const std::vector<ParkedPair>& pairs);
  void RecordAccess(Call& call, Command& command, Resource* resource, Access& access);
  void RecordHostAccess(Call& call, Command& command, const Side& side, bool write);
  // Records that the command may access the memory of the root, which must therefore live until the
  // command completes.
  void Hold(Command& command, Resource& root);
  void RecordHostCopy(Call& call, const HostCopy& copy, const AccessOrigin& origin, bool resource,
                      bool host);
  void RecordArgument(Call& call, Command& command, Resource& resource, const AccessKind& kind,
                      const Region& region);
  void RecordRow(Call& call, Command& command, Resource& resource, const AccessKind& kind,
                 uint64_t begin, uint64_t bytes, const AccessOrigin& origin);
  // In bytes of the destination's root.
  static Region DestinationOf(const LinearTransfer& transfer) {
    return Region::Linear(transfer.destination->root_offset + transfer.destination_offset,
                          transfer.bytes);
  }
  // Sets epoch and gates of `*origin` to the next ones of an in-order queue that waits for nothing
  // except settled gates. Returns false, without taking an epoch, for other queues. Requires that
  // call and site of `*origin` are set if there is a command log, and that the stream group of the
  // queue has been joined (StreamGroup::Join).
  bool NextPlace(Queue& queue, AccessOrigin* origin);
  // Gives the command the epoch and gates of NextPlace, and sets `*origin`. Returns false, without
  // taking an epoch, if NextPlace does.
  bool TakePlace(Call& call, Command& command, Queue& queue, AccessOrigin* origin);
  // Marks the resources that the call's new findings name, so that the same unwritten memory is not
  // reported again. `first` is the number of findings that the call had before.
  [[gnu::noinline]] static void NoteUnwritten(const Call& call, size_t first, const Launch& launch);
  void CheckMappings(Call& call, const Command& command, Resource& resource, const Region& region,
                     bool writes, bool unsure, bool kernel);
  // Returns a lane of an out-of-order queue for a command with the clock `before`: one whose last
  // command is ordered before the command or complete, or a new one.
  Lane& PickLane(Queue& queue, const Clock& before);
  // Returns an unused timeline, and sets `*tick` to its last used tick.
  TimelineId NewTimeline(uint64_t* tick);
  // Makes the timelines of a released queue available to NewTimeline.
  void RetireTimelines(Queue& queue);
  void NoteDeferredRelease(Call& call, Resource& resource);
  void CheckReleasedBlock(Call& call, const Side& side, const char* argument);
  // Returns the last released allocation that contained the address; nullptr if none is in the
  // graveyards.
  Resource* FindReleased(uintptr_t address);
  // Removes the oldest pending release from the list if its commands are complete; otherwise moves
  // it to the end. The caller holds deferred_lock_.
  void TurnDeferred(const Resource* releasing);
  // Joins the clock of all commands of the queue into `*clock`. The caller holds the queue's lock.
  void JoinEverything(Queue& queue, Clock* clock);
  std::string HeldBy(const Vocabulary& words, const Resource& resource);

  HandleMap<Object> handles_[kApiCount];  // by Api
  AddressMap addresses_;
  HostShadow host_shadow_;
  Gates gates_{host_};
  std::atomic<uint64_t> dropped_{0};
  std::atomic<uint32_t> faulted_{0};  // one bit per Api: a device fault was reported
  const std::unique_ptr<CommandLog> kept_log_;
  CommandLog* log_;  // kept_log_, or nullptr while logging is switched off

  Slab<Resource> resources_;
  Slab<ResourceExtra> extras_;
  Slab<ImageInfo> images_;
  Slab<Queue> queues_;
  Slab<Event> events_;
  Slab<Kernel> kernels_;
  Slab<RecordedEvent> recorded_events_;
  Slab<PlainObject> plain_;

  // The most recently released objects, by thread shard. They explain a use after release. An
  // evicted object goes back to its slab.
  static constexpr size_t kGraveyards = 8;
  static constexpr size_t kBuriedMemory = 256;
  struct alignas(64) Graveyard {
    SpinLock lock;
    uint32_t next_memory = 0, next_other = 0;
    Object* memory[kBuriedMemory] = {};
    Object* other[128] = {};
  };
  Graveyard graveyards_[kGraveyards];
  // The first kOwnGraveyards threads each have a graveyard for memory that is found only by its
  // handle. Only that thread accesses it, without a lock. Its content stays there after the thread
  // has ended.
  struct OwnGraveyard {
    uint32_t next;
    Resource* memory[kBuriedMemory];  // Resource::grave is the index
  };
  static_assert(kBuriedMemory == 256);
  static constexpr unsigned kOwnGraveyards = 16;
  std::atomic<OwnGraveyard*> own_graveyards_[kOwnGraveyards] = {};  // by ThreadShard
  ReleasedRegions released_regions_;

  SpinLock timelines_lock_;
  std::deque<Lane> idle_timelines_;  // of released queues; at most one entry per timeline
  uint32_t timelines_used_ = 1;      // 0 is the host

  SpinLock pinned_lock_;
  struct Pinned {
    uintptr_t end;
    WeakRef<Resource> resource;
  };
  // Host blocks that live objects use as their memory, by first address.
  absl::btree_multimap<uintptr_t, Pinned> pinned_;
  uintptr_t longest_pinned_ = 0;
  std::atomic<uint32_t> pinned_count_{0};
  // The number of shared allocations that are also registered as host blocks, to see free() of one.
  std::atomic<uint32_t> shared_blocks_{0};

  SpinLock deferred_lock_;
  struct Deferred {
    WeakRef<Resource> resource;
    uint64_t bytes;
    SiteId site;
    Api api;
  };
  struct DeferredSite {
    uint64_t bytes = 0, count = 0;
    const CallInfo* call = nullptr;
    ObjectKind kind = ObjectKind::kNone;
    bool noted = false;
  };
  std::deque<Deferred> deferred_;  // released by the program, but still used by commands
  absl::btree_map<SiteId, DeferredSite> deferred_sites_;
  uint64_t deferred_bytes_[kApiCount] = {};  // by Api
  uint64_t deferred_peak_[kApiCount] = {};

  SpinLock failures_lock_;
  FailedCreation failed_[kObjectKinds];  // the last one of each ObjectKind
};

// Defined here because Call is below Tracker in the layers and cannot include this header.
inline Call::Call(Tracker& tracker, const CallInfo& info, const Vocabulary& vocabulary,
                  const void* return_address, const void* frame_address, SiteId site, LabelId label)
    : tracker_(tracker),
      shadow_(tracker),
      info_(info),
      vocabulary_(vocabulary),
      return_address_(return_address),
      frame_address_(frame_address),
      site_(site),
      label_(label) {}

// Fast paths that create and release memory.

template <typename T>
inline void Tracker::Enliven(const CallInfo& info, T* object, Object* context) {
  object->named.store(false, std::memory_order_relaxed);
  object->context = context;
  object->context_generation =
      context != nullptr ? context->generation.load(std::memory_order_relaxed) : 0;
  StoreSampled(object->creator, &info);
  object->released = kUnknownSite;
  object->replaced.store(
      static_cast<uint16_t>(object->generation.load(std::memory_order_relaxed) + 1),
      std::memory_order_relaxed);
  object->retained.store(kUnknownSite, std::memory_order_relaxed);
  object->references.store(1, std::memory_order_relaxed);
  object->state.store(ObjectState::kLive, std::memory_order_release);
}

template <typename T>
inline T* Tracker::Register(const CallInfo& info, T* object, ObjectKind kind, uintptr_t handle,
                            Object* context) {
  StoreSampled(object->kind, kind);
  StoreSampled(object->api, info.api);
  object->adopted = false;
  object->owned = false;
  object->handle = handle;
  Enliven(info, object, context);
  if ((MaskOf(kind) & kAddressKinds) == 0) {
    handles_[static_cast<int>(info.api)].Insert(
        KeyOf(info.api, kind, handle), object, [](Object& before, auto replace) {
          // Read before replace(): a replaced object may be recycled at any time.
          const uint32_t generation = before.generation.load(std::memory_order_relaxed);
          replace();
          before.replaced.store(static_cast<uint16_t>(generation), std::memory_order_release);
        });
  }
  return object;
}

inline Resource* Tracker::NewResource(Call& call, const ResourceSpec& spec) {
  return NewResource(call.info(), call.site(), spec);
}

inline Resource* Tracker::NewResource(const CallInfo& info, SiteId site, const ResourceSpec& spec) {
  Resource* resource = resources_.New();
  BeforeSampledStores();
  StoreSampled(resource->bytes, spec.bytes);
  resource->native_flags = spec.native_flags;
  StoreSampled(resource->flags, spec.flags);
  resource->unwritten_reported = false;
  resource->unseen_writes = unseen_writes_.load(std::memory_order_relaxed);
  resource->address = spec.address;
  resource->root = resource;
  StoreSampled(resource->parent, spec.parent);
  resource->root_offset = 0;
  resource->holders.store(1, std::memory_order_relaxed);
  if (spec.parent != nullptr) SetParent(spec, resource);
  if (spec.image != nullptr) {
    resource->image = images_.New();
    *resource->image = *spec.image;
  } else {
    resource->image = spec.part_image;
  }
  constexpr uint16_t kHoldsSomething = kHostVisible | kImported | kUsesHostMemory | kMappedHost;
  if (spec.initialized || (spec.flags & kHoldsSomething) != 0) resource->init.MarkAll();
  StoreSampled(resource->created, site);
  Register(info, resource, spec.kind, spec.handle, spec.context);
  const bool by_address = (MaskOf(spec.kind) & kAddressKinds) != 0;
  if (spec.parent == nullptr && spec.kind != ObjectKind::kMappedMemory &&
      (spec.flags & kBoundMemory) == 0)
    ledger_.Add(info.api, spec.bytes);
  if (by_address || (spec.flags & kUsesHostMemory) != 0) KeepAddress(spec, resource);
  return resource;
}

inline Tracker::OwnGraveyard* Tracker::OwnGraveyardOf(unsigned thread) {
  return thread < kOwnGraveyards ? own_graveyards_[thread].load(std::memory_order_relaxed)
                                 : nullptr;
}

template <typename Pristine>
inline Resource* Tracker::Renew(const CallInfo& info, SiteId site, Object* object, Object* context,
                                uint64_t bytes, uint64_t native_flags, Pristine pristine) {
  const uint32_t generation = object->generation.load(std::memory_order_relaxed);
  if (object->state.load(std::memory_order_relaxed) != ObjectState::kReleased ||
      object->named.load(std::memory_order_relaxed) ||
      object->replaced.load(std::memory_order_relaxed) == static_cast<uint16_t>(generation) ||
      object->context != context ||
      (context != nullptr && object->context_generation !=
                                 context->generation.load(std::memory_order_relaxed))) [[unlikely]]
    return nullptr;
  auto* resource = static_cast<Resource*>(object);
  // No other thread changes a resource in this thread's own graveyard.
  OwnGraveyard* own = OwnGraveyardOf(ThreadShard());
  if (own == nullptr || own->memory[resource->grave] != resource || !resource->has(kRenewable) ||
      !pristine(*resource)) [[unlikely]]
    return nullptr;
  own->memory[resource->grave] = nullptr;
  resource->state.store(ObjectState::kFree, std::memory_order_relaxed);
  resource->generation.store(generation + 1, std::memory_order_release);
  BeforeSampledStores();
  StoreSampled(resource->bytes, bytes);
  resource->native_flags = native_flags;
  StoreSampled(resource->flags, static_cast<uint16_t>(resource->flags & ~kRenewable));
  resource->unwritten_reported = false;
  resource->unseen_writes = unseen_writes_.load(std::memory_order_relaxed);
  StoreSampled(resource->created, site);
  Enliven(info, resource, context);
  if (resource->holds_memory()) ledger_.Add(info.api, bytes);
  return resource;
}

inline void Tracker::BuryPlain(Resource* resource) {
  const unsigned thread = ThreadShard();
  OwnGraveyard* own = OwnGraveyardOf(thread);
  if (own == nullptr) [[unlikely]]
    own = MakeOwnGraveyard(thread);
  Resource* evicted;
  if (own != nullptr) [[likely]] {
    const uint32_t at = own->next++ % kBuriedMemory;
    resource->grave = static_cast<uint8_t>(at);
    evicted = std::exchange(own->memory[at], resource);
    // The resource that is evicted after the next one is probably not in the cache: prefetch it.
    if (const Resource* next = own->memory[(at + 2) % kBuriedMemory]; next != nullptr) {
      const char* line = reinterpret_cast<const char*>(next);
      __builtin_prefetch(line, 1);
      __builtin_prefetch(line + 64, 1);
      __builtin_prefetch(line + 128, 1);
    }
  } else {
    Graveyard& graveyard = graveyards_[thread % kGraveyards];
    std::lock_guard lock(graveyard.lock);
    evicted = static_cast<Resource*>(
        std::exchange(graveyard.memory[graveyard.next_memory++ % kBuriedMemory], resource));
  }
  if (evicted != nullptr) RecyclePlain(evicted);
}

inline bool Tracker::ReleasePlain(Resource& resource, SiteId site) {
  constexpr uint16_t kSpecial = kUsesHostMemory | kFreedInOrder;
  // Correct programs release an object on one thread at a time. If two threads release it at once,
  // the second release has no effect that matters (RecycleMemory).
  if (resource.references.load(std::memory_order_relaxed) != 1 || resource.adopted ||
      resource.parent != nullptr || (resource.flags & kSpecial) != 0 || resource.by_address() ||
      !resource.history.empty() || resource.more() != nullptr ||
      resource.children.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return false;
  if (resource.init.none() && resource.holders.load(std::memory_order_relaxed) == 1)
    StoreSampled(resource.flags, static_cast<uint16_t>(resource.flags | kRenewable));
  resource.references.store(0, std::memory_order_relaxed);
  resource.released = site;
  resource.state.store(ObjectState::kReleased, std::memory_order_release);
  if (resource.holds_memory()) ledger_.Remove(resource.api, resource.bytes);
  BuryPlain(&resource);
  return true;
}

inline void Tracker::RecyclePlain(Resource* resource) {
  if (resource->by_address() || resource->parent != nullptr ||
      resource->holders.load(std::memory_order_acquire) != 1 || !resource->history.empty() ||
      !resource->init.none() || resource->more() != nullptr ||
      (resource->image != nullptr && !resource->image->in_part) ||
      resource->state.load(std::memory_order_relaxed) != ObjectState::kReleased) [[unlikely]]
    return RecycleMemory(resource);
  Forget(resource);
  resource->image = nullptr;
  ObjectPart* part = std::exchange(resource->part, nullptr);
  resources_.Delete(resource);
  if (part != nullptr) part->Recycle();
}

// No other thread changes the object: the caller removed the last holder.
inline void Tracker::Forget(Object* object) {
  const uint32_t generation = object->generation.load(std::memory_order_relaxed);
  // In most cases another object has the handle by now.
  if (!object->by_address() &&
      object->replaced.load(std::memory_order_acquire) != static_cast<uint16_t>(generation)) {
    handles_[static_cast<int>(object->api)].Erase(KeyOf(object->api, object->kind, object->handle),
                                                  object);
  }
  object->generation.store(generation + 1, std::memory_order_release);
  object->state.store(ObjectState::kFree, std::memory_order_release);
}

}  // namespace gpusan
