// Tracker: creation, look-up, retain, release and recycling of objects.
#include <algorithm>
#include <new>
#include <utility>

#include "tracker/base/pages.h"
#include "tracker/base/sampled.h"
#include "tracker/objects/command_log.h"
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan {

Tracker::Tracker(FindingSink& sink, HostMemory& host_memory, const TrackerOptions& options)
    : ShadowState(sink, host_memory, options),
      kept_log_(options.command_log != 0 ? new CommandLog(options.command_log) : nullptr),
      log_(kept_log_.get()) {
  host_shadow_.SetUsers(options.host_users);
}

Tracker::~Tracker() {
  for (const std::atomic<OwnGraveyard*>& own : own_graveyards_) {
    if (own != nullptr) FreePages(own, sizeof(OwnGraveyard));
  }
}

Tracker::OwnGraveyard* Tracker::MakeOwnGraveyard(unsigned thread) {
  void* pages = thread < kOwnGraveyards ? AllocatePages(sizeof(OwnGraveyard)) : nullptr;
  if (pages == nullptr) return nullptr;
  auto* own = new (pages) OwnGraveyard();
  own_graveyards_[thread].store(own, std::memory_order_relaxed);
  return own;
}

void Tracker::SwitchCommandLog(bool on) {
  if (!on && log_ != nullptr) log_->Interrupt();
  log_ = on ? kept_log_.get() : nullptr;
}

PlainObject* Tracker::NewPlain(Call& call, ObjectKind kind, uintptr_t handle, Object* context) {
  PlainObject* object = plain_.New();
  object->text.clear();
  object->mark.store(0, std::memory_order_relaxed);
  object->from_source = false;
  object->native = nullptr;
  object->shares_all_host_memory.store(-1, std::memory_order_relaxed);
  object->full_waits.store(0, std::memory_order_relaxed);
  object->created = call.site();
  return Register(call.info(), object, kind, handle, context);
}

Queue* Tracker::NewQueue(Call& call, uintptr_t handle, Object* context, bool in_order,
                         uintptr_t device) {
  Queue* queue = queues_.New();
  queue->in_order = in_order;
  queue->device = device;
  queue->waited.Clear();
  queue->behind.Clear();
  queue->native = nullptr;
  queue->group = nullptr;
  queue->busy = nullptr;
  queue->listed = false;
  queue->group_version.store(0, std::memory_order_relaxed);
  queue->group_news.store(false, std::memory_order_relaxed);
  queue->gates = 0;
  queue->all_gates = 0;
  queue->work.store(1, std::memory_order_relaxed);
  queue->waited_work.store(0, std::memory_order_relaxed);
  queue->lanes.clear();
  if (in_order) {
    Lane lane;
    lane.timeline = NewTimeline(&lane.tick);
    queue->lanes.push_back(lane);
  }
  queue->created = call.site();
  return Register(call.info(), queue, ObjectKind::kQueue, handle, context);
}

Kernel* Tracker::NewKernel(Call& call, uintptr_t handle, Object* context, PlainObject* program,
                           std::string name) {
  Kernel* kernel = kernels_.New();
  kernel->name = std::move(name);
  kernel->program = WeakRef<Object>(program);
  kernel->arguments.clear();
  kernel->argument_names.clear();
  kernel->indirect.clear();
  kernel->has_argument_info = false;
  kernel->created = call.site();
  return Register(call.info(), kernel, ObjectKind::kKernel, handle, context);
}

void Tracker::SetParent(const ResourceSpec& spec, Resource* resource) {
  Resource* parent = spec.parent;
  resource->parent_generation = parent->generation.load(std::memory_order_relaxed);
  resource->root = parent->root;
  resource->root_offset = parent->root_offset + spec.parent_offset;
  parent->children.fetch_add(1, std::memory_order_relaxed);
  parent->holders.fetch_add(1, std::memory_order_relaxed);
}

void Tracker::KeepAddress(const ResourceSpec& spec, Resource* resource) {
  if (resource->by_address()) addresses_.Insert(spec.handle, resource);
  if (resource->host_addressable() && !resource->has(kUsesHostMemory)) {
    host_memory_.Add({spec.handle, spec.bytes, HostBlockKind::kHeap, resource->created});
    shared_blocks_.fetch_add(1, std::memory_order_relaxed);
    if (options_.host_users != nullptr)
      options_.host_users->fetch_add(1, std::memory_order_relaxed);
  }
  if (resource->has(kUsesHostMemory) && spec.address != 0 && spec.parent == nullptr) {
    std::lock_guard lock(pinned_lock_);
    pinned_.emplace(spec.address, Pinned{spec.address + spec.bytes, WeakRef<Resource>(resource)});
    longest_pinned_ = std::max<uintptr_t>(longest_pinned_, spec.bytes);
    if (options_.host_users != nullptr)
      options_.host_users->fetch_add(1, std::memory_order_relaxed);
    pinned_count_.store(static_cast<uint32_t>(pinned_.size()), std::memory_order_relaxed);
  }
}

RecordedEvent* Tracker::NewRecordedEvent(Call& call, uintptr_t handle, Object* context) {
  RecordedEvent* event = recorded_events_.New();
  event->native_flags = 0;
  event->native.store(nullptr, std::memory_order_relaxed);
  event->created = call.site();
  return Register(call.info(), event, ObjectKind::kRecordedEvent, handle, context);
}

ResourceExtra& Tracker::ExtraOf(Resource& resource) {
  ResourceExtra* extra = resource.extra.load(std::memory_order_relaxed);
  if (extra == nullptr) {
    extra = extras_.New();
    resource.extra.store(extra, std::memory_order_release);
  }
  return *extra;
}

Event* Tracker::NewUserEvent(Call& call, uintptr_t handle, Object* context) {
  Event* event = events_.New();
  event->epoch = Epoch();
  event->before.Clear();
  event->gates = 0;
  event->call = nullptr;
  event->status.store(1, std::memory_order_relaxed);
  event->waiters.store(0, std::memory_order_relaxed);
  event->first_waiter = kUnknownSite;
  event->first_waiter_call = nullptr;
  event->created = call.site();
  return Register(call.info(), event, ObjectKind::kUserEvent, handle, context);
}

Event* Tracker::NewEvent(Call& call, uintptr_t handle, Object* context, const Command& command) {
  Event* event = events_.New();
  event->epoch = command.epoch;
  event->before.Clear();
  if (!command.before.empty()) event->before.Join(command.before);
  event->gates = command.gates;
  event->call = command.call;
  event->command_site = command.site;
  event->status.store(1, std::memory_order_relaxed);
  event->waiters.store(0, std::memory_order_relaxed);
  event->created = command.site;
  return Register(call.info(), event, ObjectKind::kEvent, handle, context);
}

Event* Tracker::NewEvent(Call& call, uintptr_t handle, Object* context, Epoch epoch,
                         uint32_t gates) {
  Event* event = events_.New();
  event->epoch = epoch;
  if (!event->before.empty()) event->before.Clear();
  event->gates = gates;
  event->call = &call.info();
  event->command_site = event->created = call.site();
  event->status.store(1, std::memory_order_relaxed);
  event->waiters.store(0, std::memory_order_relaxed);
  return Register(call.info(), event, ObjectKind::kEvent, handle, context);
}

void Tracker::NoteFailedCreation(Call& call, ObjectKind kind, int64_t code, uint64_t bytes,
                                 uintptr_t left) {
  const SiteId site = call.site();
  std::lock_guard lock(failures_lock_);
  failed_[static_cast<int>(kind)] = {&call.info(), site, code, bytes, left};
}

bool Tracker::CheckFailedCreation(Call& call, uintptr_t value, KindMask kinds,
                                  const char* argument) {
  for (int kind = 0; kind < kObjectKinds; ++kind) {
    if ((kinds >> kind & 1) == 0) continue;
    const FailedCreation* failed = LastFailedCreation(static_cast<ObjectKind>(kind));
    if (failed == nullptr || (value != 0 && failed->left != value)) continue;
    rules::OnNullUse({argument, static_cast<ObjectKind>(kind), failed, value}, call);
    return true;
  }
  return false;
}

const FailedCreation* Tracker::LastFailedCreation(ObjectKind kind) {
  std::lock_guard lock(failures_lock_);
  const FailedCreation& failed = failed_[static_cast<int>(kind)];
  return failed.call != nullptr ? &failed : nullptr;
}

void Tracker::UnusableHandle(Call& call, uintptr_t handle, const Object* object, KindMask kinds,
                             const char* argument) {
  if (handle != 0) {
    if (object != nullptr) {
      rules::OnHandleUse({object, kinds, argument}, call);
    } else {
      call.NoteUnknown(argument, handle);
    }
    return;
  }
  call.NoteUnknown(argument, 0);
  CheckFailedCreation(call, 0, kinds, argument);
}

Object* Tracker::UseForRelease(Call& call, Object* object, uintptr_t handle, KindMask kinds,
                               const char* argument) {
  if (handle == 0) {
    UnusableHandle(call, 0, nullptr, kinds, argument);
    return nullptr;
  }
  if (object == nullptr) {
    call.NoteUnknown(argument, handle);
    return nullptr;
  }
  if ((MaskOf(object->kind) & kinds) != 0 && object->live()) [[likely]]
    return object;
  rules::OnHandleUse({object, kinds, argument, true}, call);
  return nullptr;
}

void Tracker::Retain(Call& call, Object* object) {
  object->references.fetch_add(1, std::memory_order_relaxed);
  object->retained.store(call.site(), std::memory_order_relaxed);
}

void Tracker::Release(Call& call, Object* object, bool ordered) {
  // Do not access the object after this unless the last reference is dropped here: another thread
  // may drop it and recycle the object.
  if (object->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (object->adopted) {
    object->references.store(1, std::memory_order_relaxed);
    return;
  }
  object->released = call.site();
  if (!ordered) rules::OnRelease(*object, call);
  object->state.store(ObjectState::kReleased, std::memory_order_release);
  if (object->is_memory()) {
    Resource* resource = static_cast<Resource*>(object);
    if (resource->parent == nullptr) {
      if (resource->holds_memory()) ledger_.Remove(resource->api, resource->bytes);
      // Memory that is freed in stream order is reused in stream order and does not accumulate.
      if (!resource->has(kFreedInOrder) &&
          (!resource->history.empty() || resource->children.load(std::memory_order_relaxed) != 0)) {
        NoteDeferredRelease(call, *resource);
      }
    } else if (resource->parent->generation.load(std::memory_order_relaxed) ==
               resource->parent_generation) {
      resource->parent->children.fetch_sub(1, std::memory_order_relaxed);
    }
    if (resource->by_address() || resource->has(kUsesHostMemory)) DropAddress(resource, ordered);
  }
  Bury(object);
}

void Tracker::DropAddress(Resource* resource, bool ordered) {
  if (resource->host_addressable() && !resource->has(kUsesHostMemory)) {
    UnwatchShared(*resource);
    // A release that is a command runs later in its queue. Until then the memory may be used.
    if (!ordered) {
      host_memory_.NoteRelease(
          {resource->handle, resource->bytes, HostBlockKind::kHeap, resource->created},
          resource->released);
    }
  }
  if (resource->by_address()) addresses_.Erase(resource->handle, resource);
  if (!resource->has(kUsesHostMemory) || resource->address == 0) return;
  std::lock_guard lock(pinned_lock_);
  for (auto it = pinned_.lower_bound(resource->address);
       it != pinned_.end() && it->first == resource->address; ++it) {
    if (it->second.resource.object != resource) continue;
    pinned_.erase(it);
    if (options_.host_users != nullptr)
      options_.host_users->fetch_sub(1, std::memory_order_relaxed);
    break;
  }
  pinned_count_.store(static_cast<uint32_t>(pinned_.size()), std::memory_order_relaxed);
}

std::vector<Resource*> Tracker::PartsOf(const Resource& parent) {
  std::vector<Resource*> parts;
  const uint32_t generation = parent.generation.load(std::memory_order_relaxed);
  resources_.ForEach([&](Resource& resource) {
    if (resource.live() && resource.parent == &parent && resource.parent_generation == generation)
      parts.push_back(&resource);
  });
  return parts;
}

std::vector<Kernel*> Tracker::KernelsOf(const Object& program) {
  std::vector<Kernel*> kernels;
  kernels_.ForEach([&](Kernel& kernel) {
    if (kernel.live() && kernel.program.get() == &program) kernels.push_back(&kernel);
  });
  return kernels;
}

void Tracker::UnwatchShared(const Resource& resource) {
  HostBlock block;
  if (!host_memory_.RemoveHeap(resource.handle, &block)) return;
  shared_blocks_.fetch_sub(1, std::memory_order_relaxed);
  if (options_.host_users != nullptr) options_.host_users->fetch_sub(1, std::memory_order_relaxed);
}

void Tracker::UndoRelease(Object* object) {
  if (object->live()) {
    object->references.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  // The last reference was dropped. An object that has left the graveyard cannot be restored.
  const bool buried = [&] {
    const unsigned thread = ThreadShard();
    if (OwnGraveyard* own = thread < kOwnGraveyards ? own_graveyards_[thread].load() : nullptr;
        own != nullptr) {
      for (Resource*& slot : own->memory) {
        if (slot == object) return slot = nullptr, true;
      }
    }
    for (Graveyard& graveyard : graveyards_) {
      std::lock_guard lock(graveyard.lock);
      for (Object*& slot : graveyard.memory) {
        if (slot == object) return slot = nullptr, true;
      }
      for (Object*& slot : graveyard.other) {
        if (slot == object) return slot = nullptr, true;
      }
    }
    return false;
  }();
  if (!buried) return;
  object->released = kUnknownSite;
  object->references.store(1, std::memory_order_relaxed);
  object->state.store(ObjectState::kLive, std::memory_order_release);
  if (!object->is_memory()) return;
  Resource* resource = static_cast<Resource*>(object);
  StoreSampled(resource->flags,
               static_cast<uint16_t>(resource->flags & ~(kFreedInOrder | kRenewable)));
  if (resource->parent == nullptr) {
    if (resource->holds_memory()) ledger_.Add(resource->api, resource->bytes);
  } else if (resource->parent->generation.load(std::memory_order_relaxed) ==
             resource->parent_generation) {
    resource->parent->children.fetch_add(1, std::memory_order_relaxed);
  }
  if (!resource->by_address() && !resource->has(kUsesHostMemory)) return;
  ResourceSpec spec;
  spec.handle = resource->handle;
  spec.address = resource->address;
  spec.bytes = resource->bytes;
  spec.parent = resource->parent;
  KeepAddress(spec, resource);
}

void Tracker::Bury(Object* object) {
  const bool memory = object->is_memory();
  if (memory && !object->by_address()) return BuryPlain(static_cast<Resource*>(object));
  if (memory) released_regions_.Add(object->handle, static_cast<const Resource*>(object)->bytes);
  Graveyard& graveyard = graveyards_[ThreadShard() % kGraveyards];
  Object* evicted;
  {
    std::lock_guard lock(graveyard.lock);
    Object*& slot = memory ? graveyard.memory[graveyard.next_memory++ % kBuriedMemory]
                           : graveyard.other[graveyard.next_other++ % 128];
    evicted = std::exchange(slot, object);
  }
  if (evicted == nullptr) return;
  if (memory) {
    RecycleMemory(static_cast<Resource*>(evicted));
  } else {
    RecycleOther(evicted);
  }
}

void Tracker::RecycleMemory(Resource* resource) {
  // A released parent keeps the accesses of its sub-resources until all of them are recycled. Only
  // the thread that drops the last holder continues: a released resource gets no new sub-resources.
  if (resource->holders.load(std::memory_order_acquire) != 1 &&
      resource->holders.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  // Two threads that release one object at once, which is an error, bury it twice.
  if (resource->state.load(std::memory_order_relaxed) != ObjectState::kReleased) [[unlikely]]
    return;
  Forget(resource);
  if (resource->image != nullptr) {
    if (!resource->image->in_part) images_.Delete(resource->image);
    resource->image = nullptr;
  }
  if (!resource->history.empty() || !resource->init.none() || resource->more() != nullptr)
    ForgetContent(*resource);
  Resource* parent = resource->parent;
  ObjectPart* part = std::exchange(resource->part, nullptr);
  resources_.Delete(resource);
  if (parent != nullptr) [[unlikely]]
    RecycleMemory(parent);
  if (part != nullptr) part->Recycle();
}

void Tracker::ForgetContent(Resource& resource) {
  std::lock_guard lock(resource.lock);
  resource.history.Clear();
  resource.init.Reset();
  ResourceExtra* extra = resource.extra.load(std::memory_order_relaxed);
  if (extra == nullptr) return;
  resource.extra.store(nullptr, std::memory_order_relaxed);
  extra->mappings.clear();
  extra->failed_write_call.store(nullptr, std::memory_order_relaxed);
  extras_.Delete(extra);
}

void Tracker::RecycleOther(Object* object) {
  Forget(object);
  switch (object->kind) {
    case ObjectKind::kQueue:
      RetireTimelines(*static_cast<Queue*>(object));
      queues_.Delete(static_cast<Queue*>(object));
      break;
    case ObjectKind::kKernel:
      kernels_.Delete(static_cast<Kernel*>(object));
      break;
    case ObjectKind::kEvent:
    case ObjectKind::kUserEvent:
      events_.Delete(static_cast<Event*>(object));
      break;
    case ObjectKind::kRecordedEvent:
      static_cast<RecordedEvent*>(object)->record.Reset();
      recorded_events_.Delete(static_cast<RecordedEvent*>(object));
      break;
    default: {
      PlainObject* plain = static_cast<PlainObject*>(object);
      if (plain->part != nullptr) std::exchange(plain->part, nullptr)->Recycle();
      plain_.Delete(plain);
      break;
    }
  }
}

void Tracker::ForeignContext(Call& call, const Object& a, const Object& b, const char* argument) {
  if (a.context != nullptr && b.context != nullptr)
    rules::OnHandleUse({&a, 0, argument, false, &b}, call);
}

void Tracker::CheckOwner(Call& call, const Object* object, const Object* context,
                         const char* argument) {
  if (object->context != nullptr && context != nullptr && object->context != context)
    rules::OnHandleUse({object, 0, argument, false, context}, call);
}

Resource* Tracker::FindAddress(uintptr_t address, uint64_t* offset) const {
  Resource* resource = addresses_.FindRecent(address);
  if (resource != nullptr) *offset = address - resource->handle;
  return resource;
}

Resource* Tracker::FindReleased(uintptr_t address) {
  if (!released_regions_.MayHold(address)) return nullptr;
  Resource* found = nullptr;
  for (Graveyard& graveyard : graveyards_) {
    std::lock_guard lock(graveyard.lock);
    for (Object* object : graveyard.memory) {
      if (object == nullptr || !object->by_address()) continue;
      Resource* resource = static_cast<Resource*>(object);
      if (address - resource->handle < resource->bytes) found = resource;
    }
  }
  return found;
}

void Tracker::ForgetReleased(uintptr_t address, uint64_t bytes) {
  for (Graveyard& graveyard : graveyards_) {
    for (Object*& slot : graveyard.memory) {
      Object* forgotten = nullptr;
      {
        std::lock_guard lock(graveyard.lock);
        if (slot == nullptr || !slot->by_address()) continue;
        const Resource* resource = static_cast<const Resource*>(slot);
        if (resource->handle - address >= bytes && address - resource->handle >= resource->bytes)
          continue;
        forgotten = std::exchange(slot, nullptr);
      }
      RecycleMemory(static_cast<Resource*>(forgotten));
    }
  }
}

void Tracker::CheckSharedPointer(Call& call, uintptr_t address, uint64_t bytes,
                                 const char* argument) {
  rules::PointerUse use{address, bytes, argument};
  use.resource = addresses_.Find(address);
  if (use.resource != nullptr) {
    use.offset = address - use.resource->handle;
    if (SaturatingAdd(use.offset, bytes) <= use.resource->bytes) return;
  } else {
    use.resource = FindReleased(address);
    use.block_known = host_memory_.Find(address, &use.block);
  }
  rules::OnPointerUse(use, call);
}

void Tracker::CheckDevicePointer(Call& call, uintptr_t address, uint64_t bytes,
                                 const char* argument) {
  rules::PointerUse use{address, bytes, argument, FindReleased(address)};
  use.expect = rules::PointerUse::Expect::kDevice;
  use.block_known = host_memory_.Find(address, &use.block);
  // The host has allocated memory at this address since: the pointer refers to the host block.
  if (use.block_known) use.resource = nullptr;
  rules::OnPointerUse(use, call);
}

void Tracker::CheckKernelPointer(Call& call, const rules::KernelPointer& pointer) {
  rules::KernelPointer judged = pointer;
  if (pointer.fault == rules::KernelPointer::Fault::kUnknown) {
    if (host_memory_.Find(pointer.address, &judged.block)) {
      judged.fault = rules::KernelPointer::Fault::kHost;
    } else if ((judged.resource = FindReleased(pointer.address)) != nullptr) {
      judged.fault = rules::KernelPointer::Fault::kFreed;
    }
    if (judged.fault != rules::KernelPointer::Fault::kFreed && pointer.reachable_host) return;
  }
  rules::OnKernelPointer(judged, call);
}

void Tracker::CheckFreedPointer(Call& call, uintptr_t address, const char* argument) {
  rules::PointerUse use{address, 0, argument, FindReleased(address)};
  if (use.resource != nullptr) rules::OnPointerUse(use, call);
}

bool Tracker::FreedInOrder(uintptr_t address) {
  const Resource* resource = FindReleased(address);
  return resource != nullptr && resource->has(kFreedInOrder);
}

void Tracker::CheckHostPointer(Call& call, const Resource& resource, uint64_t offset,
                               const char* argument) {
  rules::PointerUse use{resource.handle + offset, 0, argument, &resource, offset};
  use.expect = rules::PointerUse::Expect::kHost;
  rules::OnPointerUse(use, call);
}

void Tracker::CheckReleasedBlock(Call& call, const Side& side, const char* argument) {
  if (options_.may_be_reused == nullptr || side.region.empty()) return;
  rules::PointerUse use{reinterpret_cast<uintptr_t>(side.pointer) + side.region.offset,
                        side.region.end() - side.region.offset, argument};
  if (!host_memory_.FindReleased(use.address, &use.block, &use.release_site) ||
      use.bytes > use.block.end() - use.address || options_.may_be_reused(use.address, use.bytes)) {
    return;
  }
  use.resource = FindReleased(use.address);
  use.block_released = use.resource == nullptr;
  rules::OnPointerUse(use, call);
}

Resource* Tracker::UseForFree(Call& call, uintptr_t address, const char* argument, KindMask kinds,
                              uint16_t of_flags, uint16_t flags) {
  Resource* resource = addresses_.Find(address);
  if (resource != nullptr && resource->handle == address && (MaskOf(resource->kind) & kinds) != 0 &&
      (resource->flags & of_flags) == flags) {
    return resource;
  }
  rules::PointerUse use{address, 0, argument, resource};
  use.free = true;
  use.kinds = kinds;
  if (resource != nullptr) {
    use.offset = address - resource->handle;
  } else {
    use.block_known = host_memory_.Find(address, &use.block);
    use.resource = FindReleased(address);
    if (use.resource != nullptr && use.resource->handle != address) use.resource = nullptr;
  }
  rules::OnPointerUse(use, call);
  return nullptr;
}

void Tracker::TurnDeferred(const Resource* releasing) {
  const Deferred oldest = deferred_.front();
  deferred_.pop_front();
  if (Resource* waiting = oldest.resource.get(); waiting != nullptr) {
    bool pending = true;
    if (waiting != releasing) {
      std::lock_guard lock(waiting->lock);
      waiting->history.Prune(host_);
      pending = !waiting->history.empty();
    }
    if (pending) {
      deferred_.push_back(oldest);
      return;
    }
  }
  DeferredSite& at = deferred_sites_[oldest.site];
  at.bytes -= oldest.bytes;
  --at.count;
  deferred_bytes_[static_cast<int>(oldest.api)] -= oldest.bytes;
}

void Tracker::NoteDeferredRelease(Call& call, Resource& resource) {
  const Access* holder = nullptr;
  Access pending;
  {
    std::lock_guard lock(resource.lock);
    holder = resource.history.FindPending(Region::Linear(0, UINT64_MAX), false, host_);
    if (holder != nullptr) pending = *holder;
  }
  if (holder == nullptr) return;
  const SiteId site = call.site();
  rules::Deferral deferral{&resource, &pending};
  {
    std::lock_guard lock(deferred_lock_);
    // Check a few entries per release, so that the list has about as many entries as there are
    // pending releases. Entries that are still pending move to the end.
    for (size_t step = std::min<size_t>(4, deferred_.size()); step > 0; --step)
      TurnDeferred(&resource);
    deferred_.push_back({WeakRef<Resource>(&resource), resource.bytes, site, resource.api});
    uint64_t& bytes = deferred_bytes_[static_cast<int>(resource.api)];
    uint64_t& peak = deferred_peak_[static_cast<int>(resource.api)];
    bytes += resource.bytes;
    peak = std::max(peak, bytes);
    DeferredSite& at = deferred_sites_[site];
    at.bytes += resource.bytes;
    ++at.count;
    at.call = &call.info();
    at.kind = resource.kind;
    if (at.bytes < options_.deferred_release_min || at.count < 2 || at.noted) return;
    // Before a finding, remove all entries whose commands are complete.
    for (size_t step = deferred_.size(); step > 0; --step) TurnDeferred(&resource);
    if (at.bytes < options_.deferred_release_min || at.count < 2) return;
    at.noted = true;
    deferral.site_bytes = at.bytes;
    deferral.site_count = at.count;
    deferral.peak_bytes = peak;
  }
  rules::OnDeferral(deferral, call);
}

uint64_t Tracker::PendingReleaseBytes(Api api) {
  std::lock_guard lock(deferred_lock_);
  return deferred_bytes_[static_cast<int>(api)];
}

}  // namespace gpusan
