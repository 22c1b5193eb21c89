// The shadow state of a process: objects, order, accesses; and where rules are asked.
//
// API-neutral. Hooks call it around every real call; it holds no lock across them and calls back
// into nobody but the FindingSink. Every method is thread-safe unless it says otherwise. Objects
// handed out stay readable for ever (slab.h) but may be recycled: compare generations (WeakRef)
// where that matters.
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

// What NewResource needs to know.
struct ResourceSpec {
  ObjectKind kind = ObjectKind::kBuffer;
  uintptr_t handle = 0;  // or the base address of SVM
  Object* context = nullptr;
  uint64_t bytes = 0;
  uint64_t native_flags = 0;
  uint16_t flags = 0;
  const ImageInfo* image = nullptr;  // copied
  ImageInfo* part_image = nullptr;   // the same where it lives in the part, and as long; in_part
  Resource* parent = nullptr;
  uint64_t parent_offset = 0;
  uintptr_t address = 0;
  bool initialized = false;
};

// What a kernel does with one of its arguments, as far as that can be said before it runs. In bytes
// of the resource's root.
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
  // nullptr without TrackerOptions::command_log.
  CommandLog* command_log() { return kept_log_.get(); }
  // For benches: commands are logged from now on, or not. While no other thread calls.
  void SwitchCommandLog(bool on);
  // Entries of shadow history that had to be dropped to stay bounded.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  // --- objects
  // -------------------------------------------------------------------------------------------------
  [[gnu::always_inline]] Object* Find(Api api, uintptr_t handle) const {
    Object* object = handles_[static_cast<int>(api)].Find(handle);
    if (object != nullptr) object->MarkNamed();
    return object;
  }
  // Where handles are unique only among objects of one kind (KeyOf).
  [[gnu::always_inline]] Object* Find(Api api, ObjectKind kind, uintptr_t handle) const {
    return Find(api, KeyOf(api, kind, handle));
  }
  // The live object behind a handle that the call needs; nullptr if it is not known (then nothing
  // is judged) or not usable (then the finding has been added). `argument`: its name in the API.
  Object* Use(Call& call, uintptr_t handle, KindMask kinds, const char* argument) {
    Object* object = handle != 0 ? Find(call.info().api, handle) : nullptr;
    if (object != nullptr && (MaskOf(object->kind) & kinds) != 0 && object->live()) [[likely]]
      return object;
    UnusableHandle(call, handle, object, kinds, argument);
    return nullptr;
  }

  // The same for a handle whose kind its type tells.
  Object* Use(Call& call, ObjectKind kind, uintptr_t handle, const char* argument) {
    Object* object = handle != 0 ? Find(call.info().api, kind, handle) : nullptr;
    if (object != nullptr && object->live()) [[likely]]
      return object;
    UnusableHandle(call, handle, object, MaskOf(kind), argument);
    return nullptr;
  }

  PlainObject* NewPlain(Call& call, ObjectKind kind, uintptr_t handle, Object* context);
  Queue* NewQueue(Call& call, uintptr_t handle, Object* context, bool in_order, uintptr_t device);
  Kernel* NewKernel(Call& call, uintptr_t handle, Object* context, PlainObject* program,
                    std::string name);
  // Inline, since callers know most of the spec when they are compiled.
  [[gnu::always_inline]] inline Resource* NewResource(Call& call, const ResourceSpec& spec);
  // ... by a call at that site.
  [[gnu::always_inline]] inline Resource* NewResource(const CallInfo& info, SiteId site,
                                                      const ResourceSpec& spec);
  // `object`, which had the handle before, made anew in its place, where this thread released it,
  // by ReleasePlain, and nobody has looked it up since it was made: no lock, no memory, and nobody
  // can tell it from another one. nullptr: it is not like that, and nothing has happened.
  // `pristine(const Resource&)`: what lives in its part may stay as well. Its part, its flags and
  // the image in its part do.
  template <typename Pristine>
  [[gnu::always_inline]] inline Resource* Renew(const CallInfo& info, SiteId site, Object* object,
                                                Object* context, uint64_t bytes,
                                                uint64_t native_flags, Pristine pristine);
  RecordedEvent* NewRecordedEvent(Call& call, uintptr_t handle, Object* context);
  Event* NewUserEvent(Call& call, uintptr_t handle, Object* context);
  // The event of a command that has been enqueued.
  Event* NewEvent(Call& call, uintptr_t handle, Object* context, const Command& command);
  // ... of one that was ordered behind nothing but its timeline.
  Event* NewEvent(Call& call, uintptr_t handle, Object* context, Epoch epoch, uint32_t gates);
  void NoteFailedCreation(Call& call, ObjectKind kind, int64_t code, uint64_t bytes,
                          uintptr_t left = 0);
  // The value is what the last failed creation of one of these kinds left: true, and the finding
  // has been added.
  bool CheckFailedCreation(Call& call, uintptr_t value, KindMask kinds, const char* argument);
  // Made when it is missing. The lock of the resource's root is held.
  ResourceExtra& ExtraOf(Resource& resource);

  void Retain(Call& call, Object* object);
  // Before the real release, since the handle may be in use again at once; UndoRelease when the
  // call fails. `ordered`: the release itself is a command, ordered behind what uses the object.
  void Release(Call& call, Object* object, bool ordered = false);
  // The same in short, at that site, for what is found by its handle alone and nothing is to be
  // said of; false: nothing has happened.
  [[gnu::always_inline]] inline bool ReleasePlain(Resource& resource, SiteId site);
  void UndoRelease(Object* object);
  // Everything that belongs to the context goes with it; not what outlives contexts. Looks at all
  // there is.
  void ReleaseAllOf(Call& call, Object* context);
  // The live resources that were made from it. Looks at all there are.
  std::vector<Resource*> PartsOf(const Resource& parent);
  // The live kernels of the program. Looks at all there are.
  std::vector<Kernel*> KernelsOf(const Object& program);
  // An untyped release of a handle: finds over-release and the like. nullptr when unknown.
  Object* UseForRelease(Call& call, uintptr_t handle, KindMask kinds, const char* argument) {
    return UseForRelease(call, Find(call.info().api, handle), handle, kinds, argument);
  }
  Object* UseForRelease(Call& call, Object* found, uintptr_t handle, KindMask kinds,
                        const char* argument);

  // --- shared virtual memory, by address
  // ------------------------------------------------------------------------- The resource that
  // contains the address, and the offset in it; nullptr if none does.
  Resource* FindAddress(uintptr_t address, uint64_t* offset) const;
  // There are such resources, or there were.
  bool has_addresses() const { return !addresses_.unused(); }
  // No resource ever contained an address outside of it.
  AddressMap::Span address_span() const { return addresses_.span(); }
  // The shared allocation that begins at the address is freed. Adds findings for pointers that are
  // not one.
  // `kinds`: what the call may free, and of that only what has `flags` among `of_flags`.
  Resource* UseForFree(Call& call, uintptr_t address, const char* argument,
                       KindMask kinds = ~KindMask{0}, uint16_t of_flags = 0, uint16_t flags = 0);
  // A pointer that must name memory of a device and is in no live allocation: freed, host memory,
  // or nothing known.
  void CheckDevicePointer(Call& call, uintptr_t address, uint64_t bytes, const char* argument);
  // The address was last in memory that has been freed in the order of a queue.
  bool FreedInOrder(uintptr_t address);
  // Grows with every release of memory that has an address: what was said of an address that is in
  // no live allocation holds until then.
  uint32_t releases() const { return released_regions_.count(); }
  // A pointer argument of a launch that no live allocation explains; `pointer.fault` says which.
  void CheckKernelPointer(Call& call, const rules::KernelPointer& pointer);
  // The same, but only memory that was freed is a finding.
  void CheckFreedPointer(Call& call, uintptr_t address, const char* argument);
  // The addresses have been given out again: what was released there explains nothing any more.
  void ForgetReleased(uintptr_t address, uint64_t bytes);
  // A pointer that must name host memory and is in `resource`, which the host cannot reach.
  void CheckHostPointer(Call& call, const Resource& resource, uint64_t offset,
                        const char* argument);
  void CheckSharedPointer(Call& call, uintptr_t address, uint64_t bytes, const char* argument);

  // --- checks before a call, of which the tracker knows something; hooks ask the others themselves
  // (rules.h)
  // --------------------------------------------------------------------------------------
  // Resolves host blocks and asks the rules. Before RecordTransfer.
  void CheckTransfer(Call& call, Transfer& transfer);
  void CheckLaunch(Call& call, const Launch& launch);
  // Memory that something recorded names, at `use.address`, and that is in no live allocation.
  void CheckStaleUse(Call& call, StaleUse use);
  void CheckContext(Call& call, const Object* a, const Object* b, const char* argument) {
    if (a == nullptr || b == nullptr || a->context == b->context) [[likely]]
      return;
    ForeignContext(call, *a, *b, argument);
  }

  // The same where a call names the context itself.
  void CheckOwner(Call& call, const Object* object, const Object* context, const char* argument);

  // --- commands
  // --------------------------------------------------------------------------------------------------
  // Gives the command its place in the order. `barrier`: later commands of the queue are behind it;
  // `after_all`: it is behind everything before it in its queue (an in-order queue implies both). A
  // nullptr queue makes an untracked command.
  void Begin(Call& call, Command& command, Queue* queue, absl::Span<Event* const> waits,
             bool after_all = false, bool barrier = false);
  // Looks for races of the command's accesses and keeps them. Before the real call.
  void RecordTransfer(Call& call, Command& command, const Transfer& transfer);
  void RecordLaunch(Call& call, Command& command, const Launch& launch);
  // One access of the command to a resource, given in bytes of its root: looks for races and keeps
  // it.
  void Record(Call& call, Command& command, Resource* resource, const Access& access);
  // The same for host memory; the region is absolute.
  void RecordHost(Call& call, Command& command, const Access& access);
  // The command allocates or frees the whole resource.
  void RecordLifetime(Call& call, Command& command, Resource* resource, AccessRole role);
  // The real call succeeded: content and completion become known.
  void CommitTransfer(Command& command, const Transfer& transfer);
  void CommitLaunch(Command& command, const Launch& launch);
  void CommitBlocking(Command& command);
  // The same in short, where nothing is to be said of a copy beyond a race, and its queue waits for
  // nothing: checked, put into order and recorded. False if it is not so; then nothing has happened
  // but that a tick may be gone. (fast_commands.cc)
  bool BeginHostCopy(Call& call, HostCopy& copy);
  // `code`: the call's, 0 for success.
  void EndHostCopy(Call& call, const HostCopy& copy, int64_t code);
  // The same for a launch.
  bool BeginPlainLaunch(Call& call, PlainLaunch& launch);
  void EndPlainLaunch(const PlainLaunch& launch, bool success);
  // The same for a launch whose arguments come with the call: Begin and RecordLaunch in one, after
  // which the launch is committed or rolled back like any other. `*writes_new`: something that may
  // not have been written before, so that there is something to commit.
  bool BeginPlainLaunch(Call& call, Command& command, Queue& queue, const Launch& launch,
                        bool* writes_new);
  // Begin for a command that waits for no events, where its queue waits for nothing either. False:
  // nothing has happened.
  bool BeginPlain(Call& call, Command& command, Queue& queue) {
    AccessOrigin origin;
    return TakePlace(call, command, queue, &origin);
  }
  // Before Rollback of what the last launch began.
  void TouchAll(Command& command, const Launch& launch);
  // The same for a transfer without host memory that is no resource: checked, too.
  bool BeginLinearTransfer(Call& call, Command& command, Queue& queue, LinearTransfer& transfer);
  void CommitLinearTransfer(const LinearTransfer& transfer) {
    if (transfer.writes_new) [[unlikely]]
      MarkWritten(transfer.destination, DestinationOf(transfer));
  }
  // Nothing was enqueued. `code`: of a call that wrote nothing; 0 if that is not sure.
  void RollbackLinearTransfer(Call& call, Command& command, const LinearTransfer& transfer,
                              int64_t code);
  // It failed: nothing was enqueued.
  void Rollback(Command& command);
  // Something wrote these bytes of the resource, given as bytes of its root.
  void MarkWritten(Resource* resource, const Region& in_root);
  // A command writes where nobody can tell: every resource of the context may hold something from
  // now on.
  void MarkAllWritten(const Object* context);
  // The same, cheaply, for all there is: a kernel that finds addresses in memory.
  void NoteUnseenWrites() { unseen_writes_.fetch_add(1, std::memory_order_relaxed); }
  void NoteFailedWrite(Call& call, const Transfer& transfer, int64_t code);

  // --- what the host has waited for
  // ------------------------------------------------------------------------------
  void WaitEvent(const Event& event);
  void WaitQueue(Queue& queue);
  void SignalUserEvent(Call& call, Event& event, int32_t status);

  // --- joins: order that is not carried by one command's event (order_points.cc)
  // ------------------------------------------ A point behind everything that was enqueued to the
  // queue until now.
  Snapshot Snap(Queue& queue);
  // The same into a point that is used again: an in-order queue that nothing else is in front of
  // costs one lock.
  void Snap(Queue& queue, Snapshot* point);
  // A place of its own, as a command without waits has, and a point behind it.
  void TakePoint(Call& call, Queue& queue, Snapshot* point);
  // `*point` is behind `other` too.
  void JoinPoint(Snapshot* point, const Snapshot& other);
  // A point behind everything that was enqueued to any live queue: where nobody knows what
  // something waits for.
  Snapshot SnapAll();
  // Everything that is enqueued to the queue from now on is behind that point.
  void OrderBehind(Queue& queue, const Snapshot& point);
  // The host has waited for that point.
  void WaitSnapshot(const Snapshot& point);
  // Everything from now on is behind a semaphore value that nothing submitted so far will reach.
  void GateBehind(Queue& queue, Object& semaphore, uint64_t value);
  // The semaphore will reach `value` at `point`: judges what had to wait for that.
  void OpenGate(Call& call, const Object& semaphore, uint64_t value, const Snapshot& point);
  // Nobody will tell what brought the value: what waited for it is never judged.
  void AbandonGate(Call& call, const Object& semaphore, uint64_t value);

  // --- mappings
  // --------------------------------------------------------------------------------------------------
  void AddMapping(Call& call, Resource* resource, const Side& side, const void* pointer, bool read,
                  bool write);
  // True if the pointer was mapped; otherwise the finding has been added. Undo when the call fails.
  bool RemoveMapping(Call& call, Resource* resource, const void* pointer, Mapping* removed);
  void RestoreMapping(Resource* resource, const Mapping& mapping);

  // --- host memory
  // -----------------------------------------------------------------------------------------------
  // A known block is about to be released by the program (free, munmap, realloc).
  bool host_memory_busy() const {
    return own_host_memory_busy() || shared_blocks_.load(std::memory_order_relaxed) != 0;
  }
  // Of that, memory of the program's own, which it may free when it has waited for who uses it.
  bool own_host_memory_busy() const {
    return host_shadow_.busy() || pinned_count_.load(std::memory_order_relaxed) != 0;
  }
  // The runtime may free the shared allocation by itself from now on, on any thread.
  void UnwatchShared(const Resource& resource);
  void OnHostFree(Call& call, const HostBlock& block);

  // --- the end
  // ---------------------------------------------------------------------------------------------------
  // Reports a failure that nothing explained, after Call::Finish. `call.explained()` is honoured.
  void ReportFailure(Call& call, const Failure& failure);
  // The call tells of a fault of the device. From then on the API's objects cannot be given back:
  // no leak is claimed any more.
  void ReportDeviceFault(Call& call, const DeviceFault& fault);
  // Everything still held. `context`: only what belongs to it; nullptr: the whole process.
  void ReportLeaks(const Vocabulary& words, Api api, Object* context);
  // "3 buffers, 12 MiB, created at ..." for out-of-memory: largest holders first.
  std::vector<MemoryHolder> Holders(Api api);
  // The largest live resources, at most `count`, largest first.
  std::vector<const Resource*> Largest(Api api, size_t count);
  uint64_t PendingReleaseBytes(Api api);
  // The memory that belongs to one place of the program, one kind of it as the example.
  struct SiteUse {
    Api api = Api::kNone;
    SiteId site = kUnknownSite;
    ObjectKind kind = ObjectKind::kNone;
    const CallInfo* call = nullptr;  // at the place
    uint64_t bytes = 0;
    uint64_t count = 0;
  };
  // What is live, by the places that created it, each once. Looks at all there is, without a lock:
  // what comes or goes meanwhile may be in it or not.
  std::vector<SiteUse> LiveBySite();
  // What is pending release, by the places that released it; looks again at what is still pending.
  std::vector<SiteUse> PendingBySite();
  const FailedCreation* LastFailedCreation(ObjectKind kind);

 private:
  // `object`: what the handle was found to name, nullptr for none.
  void UnusableHandle(Call& call, uintptr_t handle, const Object* object, KindMask kinds,
                      const char* argument);
  void ForeignContext(Call& call, const Object& a, const Object& b, const char* argument);
  // All that a new object has beside its kind and handle.
  template <typename T>
  [[gnu::always_inline]] inline void Enliven(const CallInfo& info, T* object, Object* context);
  template <typename T>
  [[gnu::always_inline]] inline T* Register(const CallInfo& info, T* object, ObjectKind kind,
                                            uintptr_t handle, Object* context);
  // Of what has a parent, or an image that is to be copied.
  [[gnu::noinline]] void SetParent(const ResourceSpec& spec, Resource* resource);
  // Of memory that is named by its address, or that lives in the program's.
  void KeepAddress(const ResourceSpec& spec, Resource* resource);
  [[gnu::noinline]] void DropAddress(Resource* resource, bool ordered);
  void Bury(Object* object);
  // A buried object goes back to its slab, if nothing refers to it any more.
  void RecycleMemory(Resource* resource);
  // The same for memory that is found by its handle alone: in short where that is all.
  [[gnu::always_inline]] inline void BuryPlain(Resource* resource);
  [[gnu::always_inline]] inline void RecyclePlain(Resource* resource);
  struct OwnGraveyard;
  // Of this thread; nullptr: it has none.
  [[gnu::always_inline]] inline OwnGraveyard* OwnGraveyardOf(unsigned thread);
  [[gnu::noinline]] OwnGraveyard* MakeOwnGraveyard(unsigned thread);
  void RecycleOther(Object* object);
  [[gnu::always_inline]] inline void Forget(Object* object);
  [[gnu::noinline]] void ForgetContent(Resource& resource);
  // `after_all`: it is behind everything before it in its queue.
  void Log(const Command& command, absl::Span<Event* const> waits, bool after_all);
  void Judge(Call& call, Resource* resource, const Access& earlier, const Access& later);
  // The host has waited for something behind these gates: for what they brought, too.
  void JoinHost(GateSet gates);
  void JudgeOpened(Call& call, const std::vector<ParkedPair>& pairs);
  void RecordAccess(Call& call, Command& command, Resource* resource, Access& access);
  void RecordHostAccess(Call& call, Command& command, const Side& side, bool write);
  // The command may reach the memory of the root: it must live until the command is complete.
  void Hold(Command& command, Resource& root);
  void RecordHostCopy(Call& call, const HostCopy& copy, const AccessOrigin& origin, bool resource,
                      bool host);
  void RecordArgument(Call& call, Command& command, Resource& resource, const AccessKind& kind,
                      const Region& region);
  void RecordRow(Call& call, Command& command, Resource& resource, const AccessKind& kind,
                 uint64_t begin, uint64_t bytes, const AccessOrigin& origin);
  static Region DestinationOf(const LinearTransfer& transfer) {  // of the root
    return Region::Linear(transfer.destination->root_offset + transfer.destination_offset,
                          transfer.bytes);
  }
  // The next place in an in-order queue that waits for no event beyond settled gates. Call and site
  // of the origin are set, but where there is no log. What streams of one group wait for is known
  // to the group (stream_group.h), and has been joined.
  bool NextPlace(Queue& queue, AccessOrigin* origin);
  // ... taken by the command, at the call. False: the queue waits for more, and nothing has
  // happened.
  bool TakePlace(Call& call, Command& command, Queue& queue, AccessOrigin* origin);
  // What the rules have just found about the arguments is not reported again. `first`: the number
  // of findings of the call before.
  [[gnu::noinline]] static void NoteUnwritten(const Call& call, size_t first, const Launch& launch);
  void CheckMappings(Call& call, const Command& command, Resource& resource, const Region& region,
                     bool writes, bool unsure, bool kernel);
  Lane& PickLane(Queue& queue, const Clock& before);
  TimelineId NewTimeline(uint64_t* tick);
  void RetireTimelines(Queue& queue);
  void NoteDeferredRelease(Call& call, Resource& resource);
  void CheckReleasedBlock(Call& call, const Side& side, const char* argument);
  // Takes the oldest entry of the list off if its commands are complete, else to the end.
  // deferred_lock_ is held.
  // The last released allocation that contained the address, nullptr if none is remembered.
  Resource* FindReleased(uintptr_t address);
  void TurnDeferred(const Resource* releasing);
  void JoinEverything(Queue& queue, Clock* clock);
  std::string HeldBy(const Vocabulary& words, const Resource& resource);

  HandleMap<Object> handles_[kApiCount];  // by Api
  AddressMap addresses_;
  HostShadow host_shadow_;
  Gates gates_{host_};
  std::atomic<uint64_t> dropped_{0};
  std::atomic<uint32_t> faulted_{0};  // a bit an Api
  const std::unique_ptr<CommandLog> kept_log_;
  CommandLog* log_;  // that, or nullptr while nothing is to be logged

  Slab<Resource> resources_;
  Slab<ResourceExtra> extras_;
  Slab<ImageInfo> images_;
  Slab<Queue> queues_;
  Slab<Event> events_;
  Slab<Kernel> kernels_;
  Slab<RecordedEvent> recorded_events_;
  Slab<PlainObject> plain_;

  // The last released objects, by thread shard: explain use after release, then go back to the
  // slab.
  static constexpr size_t kGraveyards = 8;
  static constexpr size_t kBuriedMemory = 256;
  struct alignas(64) Graveyard {
    SpinLock lock;
    uint32_t next_memory = 0, next_other = 0;
    Object* memory[kBuriedMemory] = {};
    Object* other[128] = {};
  };
  Graveyard graveyards_[kGraveyards];
  // The first threads have one of their own for memory that is found by its handle alone: that
  // takes no lock, and its thread alone looks into it. What is in it when the thread ends stays
  // there.
  struct OwnGraveyard {
    uint32_t next;
    Resource* memory[kBuriedMemory];  // each knows its place in it (Resource::grave)
  };
  static_assert(kBuriedMemory == 256);
  static constexpr unsigned kOwnGraveyards = 16;
  std::atomic<OwnGraveyard*> own_graveyards_[kOwnGraveyards] = {};  // by ThreadShard
  ReleasedRegions released_regions_;

  SpinLock timelines_lock_;
  std::deque<Lane> idle_timelines_;  // of queues that are gone, at most one entry a timeline
  uint32_t timelines_used_ = 1;      // 0 is the host

  SpinLock pinned_lock_;
  struct Pinned {
    uintptr_t end;
    WeakRef<Resource> resource;
  };
  absl::btree_multimap<uintptr_t, Pinned>
      pinned_;  // host blocks that live objects live in, by begin
  uintptr_t longest_pinned_ = 0;
  std::atomic<uint32_t> pinned_count_{0};
  std::atomic<uint32_t> shared_blocks_{
      0};  // shared allocations that are host blocks too, so that free() of one is seen

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
  std::deque<Deferred> deferred_;  // released by the program, still used by commands
  absl::btree_map<SiteId, DeferredSite> deferred_sites_;
  uint64_t deferred_bytes_[kApiCount] = {};  // by Api
  uint64_t deferred_peak_[kApiCount] = {};

  SpinLock failures_lock_;
  FailedCreation failed_[kObjectKinds];  // by ObjectKind, the last one
};

// The call's tracker is a class of a higher floor than Call itself.
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

// How memory comes, and how what has nothing to be said of goes.

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
          // As of now: once it is replaced it may become another object at any time.
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
  // What lies there nobody else changes.
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
    // What goes next has lain there for long: it is fetched while others come.
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
  // One thread releases an object at a time; what is done to it twice harms nobody (RecycleMemory).
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

// Nobody else changes it any more: who took the last holder off is alone.
inline void Tracker::Forget(Object* object) {
  const uint32_t generation = object->generation.load(std::memory_order_relaxed);
  // Its handle has mostly been given to another one meanwhile.
  if (!object->by_address() &&
      object->replaced.load(std::memory_order_acquire) != static_cast<uint16_t>(generation)) {
    handles_[static_cast<int>(object->api)].Erase(KeyOf(object->api, object->kind, object->handle),
                                                  object);
  }
  object->generation.store(generation + 1, std::memory_order_release);
  object->state.store(ObjectState::kFree, std::memory_order_release);
}

}  // namespace gpusan
