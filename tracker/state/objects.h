// The objects of a process: look-up by handle and address, creation, references, release,
// recycling.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tracker/base/sampled.h"
#include "tracker/base/slab.h"
#include "tracker/base/spin_lock.h"
#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/host/host_side.h"
#include "tracker/memory/handle_map.h"
#include "tracker/memory/ledger.h"
#include "tracker/objects/address_map.h"
#include "tracker/objects/creation_loops.h"
#include "tracker/objects/event.h"
#include "tracker/objects/graveyards.h"
#include "tracker/objects/kernel.h"
#include "tracker/objects/object.h"
#include "tracker/objects/queue.h"
#include "tracker/objects/resource.h"
#include "tracker/objects/shared_payloads.h"
#include "tracker/state/ordering.h"
#include "tracker/state/pending_releases.h"

namespace gpusan {

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

// The part of Objects::FindRecent that the objects of a call share: a thread uses few queues and
// kernels in turn.
enum class Recent : unsigned { kQueue, kKernel, kMemory };

// Owns all objects, and finds them by handle or address. Objects that it returns stay readable
// until the process ends (slab.h), but may be recycled: compare generations (WeakRef) where that
// matters. Thread-safe. Holds no lock while it runs rules.
class Objects {
 public:
  Objects(Ordering& ordering, HostSide& host_side, const TrackerOptions& options);
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  Ledger& ledger() { return ledger_; }
  PendingReleases& pending_releases() { return pending_; }
  CreationLoops& creation_loops() { return creation_loops_; }
  SharedPayloads& shared_payloads() { return shared_payloads_; }

  // --- Look-up by handle

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
  // As above, for a caller that neither keeps the object nor has commands use it: the object can be
  // renewed (Renew).
  [[gnu::always_inline]] Object* Peek(Api api, ObjectKind kind, uintptr_t handle) const {
    return handles_[static_cast<int>(api)].Find(KeyOf(api, kind, handle));
  }
  // As Find. Looks first at the live objects that this thread has found last for `use`, without an
  // access to the table.
  [[gnu::always_inline]] Object* FindRecent(Recent use, Api api, uintptr_t handle) {
    const unsigned thread = ThreadShard();
    if (thread < kRecentThreads) [[likely]] {
      const Found& found = SlotOf(thread, use, handle);
      if (found.handle == handle && found.api == api && found.object != nullptr &&
          found.object->generation.load(std::memory_order_acquire) == found.generation &&
          found.object->live() &&
          found.object->replaced.load(std::memory_order_relaxed) !=
              static_cast<uint16_t>(found.generation)) [[likely]]
        return found.object;
    }
    return FindAgain(thread, use, api, handle);
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

  // Adds the finding for a NULL handle where the API requires an object of one of `kinds`, and
  // where drivers may not check it.
  void RejectNull(Call& call, KindMask kinds, const char* argument);

  // As Use, for a call that releases the handle: also adds the findings of a release, such as an
  // over-release. `found` is the result of Find.
  Object* UseForRelease(Call& call, uintptr_t handle, KindMask kinds, const char* argument) {
    return UseForRelease(call, Find(call.info().api, handle), handle, kinds, argument);
  }
  Object* UseForRelease(Call& call, Object* found, uintptr_t handle, KindMask kinds,
                        const char* argument);

  // --- Creation

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
  // As above, for a command that is ordered only after its own timeline.
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

  // --- Release

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
  // A query returned the handle of `object`, which the program has released: another object holds
  // it, and the program may use it again. Makes it live, with references that are not counted.
  void Revive(Object* object);
  // Releases all objects of the context, except those that outlive contexts. Visits all objects.
  void ReleaseAllOf(Call& call, Object* context);

  // --- Visits

  // Returns the live sub-resources of `parent`. Visits all resources.
  std::vector<Resource*> PartsOf(const Resource& parent);
  // Returns the live kernels of the program. Visits all kernels.
  std::vector<Kernel*> KernelsOf(const Object& program);
  // Calls `visit` with each live resource of the process. Other threads may release it meanwhile.
  template <typename Visit>
  void ForEachResource(Visit visit) {
    ForEachLive(resources_, visit);
  }
  template <typename Visit>
  void ForEachQueue(Visit visit) {
    ForEachLive(queues_, visit);
  }
  template <typename Visit>
  void ForEachKernel(Visit visit) {
    ForEachLive(kernels_, visit);
  }
  // As above, for the objects of all kinds that are no memory.
  template <typename Visit>
  void ForEachOther(Visit visit) {
    ForEachKernel(visit);
    ForEachQueue(visit);
    ForEachLive(events_, visit);
    ForEachLive(recorded_events_, visit);
    ForEachLive(plain_, visit);
  }

  // --- Content of many objects

  // Marks all resources of the context as written, after a command whose writes are unknown.
  void MarkAllWritten(const Object* context);
  // As above, for the resources of all contexts, in constant time. For kernels that load pointers
  // from memory.
  void NoteUnseenWrites() { unseen_writes_.fetch_add(1, std::memory_order_relaxed); }
  const std::atomic<uint32_t>& unseen_writes() const { return unseen_writes_; }

  // --- Memory that is named by its address

  // Returns the live resource that contains the address, and sets `*offset` to the offset in it
  // [bytes]. Returns nullptr if there is none.
  Resource* FindAddress(uintptr_t address, uint64_t* offset) const;
  // The live resources by address.
  const AddressMap& addresses() const { return addresses_; }
  // Returns the last released allocation that contained the address; nullptr if it has been
  // recycled.
  Resource* FindReleased(uintptr_t address) { return graveyards_.Find(address); }
  // Removes memory from look-ups by address because its blocks are resources of their own, and
  // reverts that (AddressMap::Divide). For BlockPools.
  void Divide(Resource& resource, bool gaps);
  void Unite(uintptr_t base, Resource* resource);
  // Returns the number of releases of memory with an address. A check of an address in no live
  // allocation stays valid until this number grows.
  uint32_t releases() const { return graveyards_.releases(); }
  // Forgets the released memory in this range. Call it when the addresses are allocated again.
  void ForgetReleased(uintptr_t address, uint64_t bytes);

 private:
  template <typename T, typename Visit>
  static void ForEachLive(Slab<T>& objects, Visit& visit) {
    objects.ForEach([&](T& object) {
      if (object.live()) visit(object);
    });
  }
  // Notes that the handle names no known object, and adds the finding if it can name none.
  void UnknownHandle(Call& call, uintptr_t handle, KindMask kinds, const char* argument);
  // Adds the finding for a handle that is not usable. `object` is the object that the handle names,
  // or nullptr.
  void UnusableHandle(Call& call, uintptr_t handle, const Object* object, KindMask kinds,
                      const char* argument);
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
  void KeepHostUses(Resource& resource);
  // Returns a released resource to its slab if no sub-resource holds it.
  void RecycleMemory(Resource* resource);
  // As above, for memory that is found only by its handle. Falls back to RecycleMemory for a
  // resource that has accesses, content, a parent or an extra.
  [[gnu::always_inline]] inline void RecyclePlain(Resource* resource);
  void RecycleOther(Object* object);
  [[gnu::always_inline]] inline void Forget(Object* object);
  [[gnu::noinline]] void ForgetContent(Resource& resource);
  // Returns the last failed creation of the kind; nullptr if there is none.
  const FailedCreation* LastFailedCreation(ObjectKind kind);

  // What FindRecent returned to a thread. Only that thread accesses it.
  struct Found {
    uintptr_t handle = 0;
    Object* object = nullptr;
    uint32_t generation = 0;
    Api api = Api::kNone;
  };
  static constexpr unsigned kRecentThreads = 16, kRecentObjects = 4, kRecentUses = 3;
  struct alignas(64) FoundOfThread {
    Found found[kRecentUses * kRecentObjects];
  };
  [[gnu::always_inline]] Found& SlotOf(unsigned thread, Recent use, uintptr_t handle) {
    constexpr int kBits = 2;
    static_assert(1u << kBits == kRecentObjects);
    const uint64_t hash = uint64_t{handle} * 0x9E3779B97F4A7C15u >> (64 - kBits);
    return recent_[thread].found[static_cast<unsigned>(use) * kRecentObjects + hash];
  }
  [[gnu::noinline]] Object* FindAgain(unsigned thread, Recent use, Api api, uintptr_t handle);

  FoundOfThread recent_[kRecentThreads];  // by ThreadShard
  HandleMap<Object> handles_[kApiCount];  // by Api
  AddressMap addresses_;
  Ledger ledger_;
  std::atomic<uint32_t> unseen_writes_{0};
  Slab<Resource> resources_;
  Slab<ResourceExtra> extras_;
  Slab<ImageInfo> images_;
  Slab<Queue> queues_;
  Slab<Event> events_;
  Slab<Kernel> kernels_;
  Slab<RecordedEvent> recorded_events_;
  Slab<PlainObject> plain_;

  Graveyards graveyards_;
  PendingReleases pending_;
  CreationLoops creation_loops_;
  SharedPayloads shared_payloads_;

  SpinLock failures_lock_;
  FailedCreation failed_[kObjectKinds];  // the last one of each ObjectKind

  Ordering& ordering_;
  HostSide& host_side_;
};

// True for objects that stay when their context is released.
inline bool OutlivesContext(const Object& object) {
  return object.is_memory() && static_cast<const Resource&>(object).has(kOutlivesContext);
}

// Fast paths that create and release memory.

template <typename T>
inline void Objects::Enliven(const CallInfo& info, T* object, Object* context) {
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
inline T* Objects::Register(const CallInfo& info, T* object, ObjectKind kind, uintptr_t handle,
                            Object* context) {
  StoreSampled(object->kind, kind);
  StoreSampled(object->api, info.api);
  StoreSampled(object->adopted, false);
  StoreSampled(object->owned, false);
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

inline Resource* Objects::NewResource(Call& call, const ResourceSpec& spec) {
  return NewResource(call.info(), call.site(), spec);
}

inline Resource* Objects::NewResource(const CallInfo& info, SiteId site, const ResourceSpec& spec) {
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

template <typename Pristine>
inline Resource* Objects::Renew(const CallInfo& info, SiteId site, Object* object, Object* context,
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
  if (!graveyards_.TakeOwn(
          resource, [&] { return resource->has(kRenewable) && pristine(*resource); })) [[unlikely]]
    return nullptr;
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

inline bool Objects::ReleasePlain(Resource& resource, SiteId site) {
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
  if (Resource* evicted = graveyards_.PutPlain(&resource); evicted != nullptr)
    RecyclePlain(evicted);
  return true;
}

inline void Objects::RecyclePlain(Resource* resource) {
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
inline void Objects::Forget(Object* object) {
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
