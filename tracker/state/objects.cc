// Objects: creation, look-up, retain, release and recycling.
#include "tracker/state/objects.h"

#include <mutex>
#include <utility>

#include "tracker/base/sampled.h"
#include "tracker/rules/rules.h"

namespace gpusan {

Objects::Objects(Ordering& ordering, HostSide& host_side, const TrackerOptions& options)
    : pending_(ordering.host(), options.deferred_release_min),
      ordering_(ordering),
      host_side_(host_side) {}

PlainObject* Objects::NewPlain(Call& call, ObjectKind kind, uintptr_t handle, Object* context) {
  PlainObject* object = plain_.New();
  object->text.clear();
  object->mark.store(0, std::memory_order_relaxed);
  object->from_source = false;
  object->native = nullptr;
  object->shares_all_host_memory.store(-1, std::memory_order_relaxed);
  object->abandoned.store(false, std::memory_order_relaxed);
  object->full_waits.store(0, std::memory_order_relaxed);
  StoreSampled(object->created, call.site());
  return Register(call.info(), object, kind, handle, context);
}

Queue* Objects::NewQueue(Call& call, uintptr_t handle, Object* context, bool in_order,
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
  ordering_.StartQueue(*queue);
  StoreSampled(queue->created, call.site());
  return Register(call.info(), queue, ObjectKind::kQueue, handle, context);
}

Kernel* Objects::NewKernel(Call& call, uintptr_t handle, Object* context, PlainObject* program,
                           std::string name) {
  Kernel* kernel = kernels_.New();
  kernel->name = std::move(name);
  kernel->program = WeakRef<Object>(program);
  kernel->arguments.clear();
  kernel->argument_names.clear();
  kernel->indirect.clear();
  kernel->samplers.clear();
  kernel->local_bytes = kernel->local_checked = 0;
  kernel->partly_built = false;
  kernel->built_device = 0;
  kernel->has_argument_info = false;
  kernel->images = 0;
  kernel->summary.reset();
  kernel->kept.reset();
  kernel->launches.Clear();
  kernel->user.Reset();
  StoreSampled(kernel->created, call.site());
  return Register(call.info(), kernel, ObjectKind::kKernel, handle, context);
}

Object* Objects::FindAgain(unsigned thread, Recent use, Api api, uintptr_t handle) {
  Object* object = Find(api, handle);
  if (object == nullptr || thread >= kRecentThreads) return object;
  const uint32_t generation = object->generation.load(std::memory_order_acquire);
  // If the object is still in the table, the generation is not that of a later owner of its storage
  // with another handle.
  if (Find(api, handle) == object) SlotOf(thread, use, handle) = {handle, object, generation, api};
  return object;
}

void Objects::SetParent(const ResourceSpec& spec, Resource* resource) {
  Resource* parent = spec.parent;
  resource->parent_generation = parent->generation.load(std::memory_order_relaxed);
  resource->root = parent->root;
  resource->root_offset = parent->root_offset + spec.parent_offset;
  parent->children.fetch_add(1, std::memory_order_relaxed);
  parent->holders.fetch_add(1, std::memory_order_relaxed);
}

void Objects::KeepAddress(const ResourceSpec& spec, Resource* resource) {
  if (resource->by_address()) addresses_.Insert(spec.handle, resource);
  if (!resource->has(kUsesHostMemory)) {
    if (resource->host_addressable()) host_side_.WatchShared(*resource);
  } else if (spec.address != 0 && spec.parent == nullptr) {
    host_side_.Pin(resource, spec.address, spec.bytes);
  }
}

RecordedEvent* Objects::NewRecordedEvent(Call& call, uintptr_t handle, Object* context) {
  RecordedEvent* event = recorded_events_.New();
  event->native_flags = 0;
  event->native.store(nullptr, std::memory_order_relaxed);
  StoreSampled(event->created, call.site());
  return Register(call.info(), event, ObjectKind::kRecordedEvent, handle, context);
}

ResourceExtra& Objects::ExtraOf(Resource& resource) {
  ResourceExtra* extra = resource.extra.load(std::memory_order_relaxed);
  if (extra == nullptr) {
    extra = extras_.New();
    resource.extra.store(extra, std::memory_order_release);
  }
  return *extra;
}

Event* Objects::NewUserEvent(Call& call, uintptr_t handle, Object* context) {
  Event* event = events_.New();
  event->epoch = Epoch();
  event->before.Clear();
  event->gates = 0;
  event->call = nullptr;
  event->status.store(1, std::memory_order_relaxed);
  event->waiters.store(0, std::memory_order_relaxed);
  event->first_waiter = kUnknownSite;
  event->first_waiter_call = nullptr;
  StoreSampled(event->created, call.site());
  return Register(call.info(), event, ObjectKind::kUserEvent, handle, context);
}

Event* Objects::NewEvent(Call& call, uintptr_t handle, Object* context, const Command& command) {
  Event* event = events_.New();
  event->epoch = command.epoch;
  event->before.Clear();
  if (!command.before.empty()) event->before.Join(command.before);
  event->gates = command.gates;
  event->call = command.call;
  event->command_site = command.site;
  event->status.store(1, std::memory_order_relaxed);
  event->waiters.store(0, std::memory_order_relaxed);
  StoreSampled(event->created, command.site);
  return Register(call.info(), event, ObjectKind::kEvent, handle, context);
}

Event* Objects::NewEvent(Call& call, uintptr_t handle, Object* context, Epoch epoch,
                         uint32_t gates) {
  Event* event = events_.New();
  event->epoch = epoch;
  if (!event->before.empty()) event->before.Clear();
  event->gates = gates;
  event->call = &call.info();
  const SiteId site = call.site();
  event->command_site = site;
  StoreSampled(event->created, site);
  event->status.store(1, std::memory_order_relaxed);
  event->waiters.store(0, std::memory_order_relaxed);
  return Register(call.info(), event, ObjectKind::kEvent, handle, context);
}

void Objects::NoteFailedCreation(Call& call, ObjectKind kind, int64_t code, uint64_t bytes,
                                 uintptr_t left) {
  const SiteId site = call.site();
  std::lock_guard lock(failures_lock_);
  failed_[static_cast<int>(kind)] = {&call.info(), site, code, bytes, left};
}

bool Objects::CheckFailedCreation(Call& call, uintptr_t value, KindMask kinds,
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

const FailedCreation* Objects::LastFailedCreation(ObjectKind kind) {
  std::lock_guard lock(failures_lock_);
  const FailedCreation& failed = failed_[static_cast<int>(kind)];
  return failed.call != nullptr ? &failed : nullptr;
}

void Objects::UnusableHandle(Call& call, uintptr_t handle, const Object* object, KindMask kinds,
                             const char* argument) {
  if (handle != 0) {
    if (object != nullptr && !object->live() && (MaskOf(object->kind) & kinds) == 0) {
      // The handle may belong to an object by now that a call outside of gpusan's view returned.
      call.NoteUnknown(argument, handle);
    } else if (object != nullptr) {
      rules::OnHandleUse({object, kinds, argument}, call);
      call.NoteUnusable(kinds, argument);
    } else {
      UnknownHandle(call, handle, kinds, argument);
    }
    return;
  }
  call.NoteUnknown(argument, 0);
  CheckFailedCreation(call, 0, kinds, argument);
}

void Objects::UnknownHandle(Call& call, uintptr_t handle, KindMask kinds, const char* argument) {
  call.NoteUnknown(argument, handle);
  if (!call.words().NamesNothing(handle)) return;
  rules::OnWildHandle({handle, kinds, argument}, call);
  call.NoteUnusable(kinds, argument);
}

void Objects::RejectNull(Call& call, KindMask kinds, const char* argument) {
  call.NoteUnknown(argument, 0);
  if (!CheckFailedCreation(call, 0, kinds, argument))
    rules::OnWildHandle({0, kinds, argument}, call);
  call.NoteUnusable(kinds, argument);
}

Object* Objects::UseForRelease(Call& call, Object* object, uintptr_t handle, KindMask kinds,
                               const char* argument) {
  if (handle == 0) {
    UnusableHandle(call, 0, nullptr, kinds, argument);
    return nullptr;
  }
  if (object == nullptr) {
    UnknownHandle(call, handle, kinds, argument);
    return nullptr;
  }
  if ((MaskOf(object->kind) & kinds) != 0 && object->live()) [[likely]]
    return object;
  rules::OnHandleUse({object, kinds, argument, true}, call);
  call.NoteUnusable(kinds, argument);
  return nullptr;
}

void Objects::Retain(Call& call, Object* object) {
  object->references.fetch_add(1, std::memory_order_relaxed);
  object->retained.store(call.site(), std::memory_order_relaxed);
}

void Objects::Release(Call& call, Object* object, bool ordered) {
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
      // The release of the handle of mapped memory frees nothing.
      if (!resource->has(kFreedInOrder) &&
          (!ordered || resource->kind != ObjectKind::kPhysicalMemory) &&
          (!resource->history.empty() || resource->children.load(std::memory_order_relaxed) != 0)) {
        pending_.Note(call, *resource);
      }
    } else if (resource->parent->generation.load(std::memory_order_relaxed) ==
               resource->parent_generation) {
      resource->parent->children.fetch_sub(1, std::memory_order_relaxed);
    }
    if (resource->by_address() || resource->has(kUsesHostMemory)) DropAddress(resource, ordered);
    if (resource->more() != nullptr) host_side_.DropMapped(*resource);
  }
  const bool plain = object->is_memory() && !object->by_address();
  Object* evicted = graveyards_.Put(object);
  if (evicted == nullptr) return;
  if (plain) {
    RecyclePlain(static_cast<Resource*>(evicted));
  } else if (evicted->is_memory()) {
    RecycleMemory(static_cast<Resource*>(evicted));
  } else {
    RecycleOther(evicted);
  }
}

void Objects::DropAddress(Resource* resource, bool ordered) {
  if (resource->host_addressable() && !resource->has(kUsesHostMemory)) {
    host_side_.UnwatchShared(*resource);
    // A release that is a command runs later in its queue. Until then the memory may be used.
    if (!ordered) {
      host_side_.memory().NoteRelease(
          {resource->handle, resource->bytes, HostBlockKind::kHeap, resource->created},
          resource->released);
    }
  }
  if (resource->by_address()) addresses_.Erase(resource->handle, resource);
  if (resource->has(kUsesHostMemory) && resource->address != 0) {
    host_side_.Unpin(resource);
    KeepHostUses(*resource);
  }
}

// Pending commands still use the host memory of a released resource: its accesses become accesses
// to host memory. An access that is only possible counts as a read.
void Objects::KeepHostUses(Resource& resource) {
  if (resource.by_address() || resource.root != &resource || resource.image != nullptr) return;
  std::vector<Access> uses;
  {
    std::lock_guard lock(resource.lock);
    for (const Access& access : resource.history) {
      if (!IsLifetime(access.role) && !access.region.empty()) uses.push_back(access);
    }
  }
  for (Access& use : uses) {
    const bool certain = use.sureness == Sureness::kCertain || use.sureness == Sureness::kDerived;
    use.region = use.region.Shifted(resource.address);
    use.write = use.write && certain;
    use.read = !use.write;
    host_side_.shadow().Record(use, {}, ordering_.host(), true, [](const Access&) {});
  }
}

std::vector<Resource*> Objects::PartsOf(const Resource& parent) {
  std::vector<Resource*> parts;
  const uint32_t generation = parent.generation.load(std::memory_order_relaxed);
  resources_.ForEach([&](Resource& resource) {
    if (resource.live() && resource.parent == &parent && resource.parent_generation == generation)
      parts.push_back(&resource);
  });
  return parts;
}

std::vector<Kernel*> Objects::KernelsOf(const Object& program) {
  std::vector<Kernel*> kernels;
  kernels_.ForEach([&](Kernel& kernel) {
    if (kernel.live() && kernel.program.get() == &program) kernels.push_back(&kernel);
  });
  return kernels;
}

void Objects::UndoRelease(Object* object) {
  if (object->live()) {
    object->references.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  // The last reference was dropped. An object that has left the graveyard cannot be restored.
  if (!graveyards_.Take(object)) return;
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

void Objects::Revive(Object* object) {
  UndoRelease(object);
  if (object->live()) object->MarkAdopted();
}

void Objects::RecycleMemory(Resource* resource) {
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

void Objects::ForgetContent(Resource& resource) {
  std::lock_guard lock(resource.lock);
  resource.history.Clear();
  resource.init.Reset();
  ResourceExtra* extra = resource.extra.load(std::memory_order_relaxed);
  if (extra == nullptr) return;
  resource.extra.store(nullptr, std::memory_order_relaxed);
  extra->mappings.clear();
  extra->imports.clear();
  extra->failed_write_call.store(nullptr, std::memory_order_relaxed);
  extra->storage_freed.store(nullptr, std::memory_order_relaxed);
  extras_.Delete(extra);
}

void Objects::RecycleOther(Object* object) {
  Forget(object);
  switch (object->kind) {
    case ObjectKind::kQueue:
      ordering_.RetireQueue(*static_cast<Queue*>(object));
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

void Objects::ReleaseAllOf(Call& call, Object* context) {
  std::vector<Object*> objects;
  const auto visit = [&](Object& object) {
    if (object.context == context && object.context_generation == context->generation &&
        !OutlivesContext(object))
      objects.push_back(&object);
  };
  // Release sub-resources before their parents.
  ForEachResource([&](Resource& resource) {
    if (resource.parent != nullptr) visit(resource);
  });
  ForEachResource([&](Resource& resource) {
    if (resource.parent == nullptr) visit(resource);
  });
  ForEachOther(visit);
  for (Object* object : objects) {
    object->MarkAdopted(false);
    object->references.store(1, std::memory_order_relaxed);
    Release(call, object, true);
  }
}

Resource* Objects::FindAddress(uintptr_t address, uint64_t* offset) const {
  Resource* resource = addresses_.FindRecent(address);
  if (resource != nullptr) *offset = address - resource->handle;
  return resource;
}

void Objects::Divide(Resource& resource, bool gaps) {
  if (resource.host_addressable()) host_side_.UnwatchShared(resource);
  addresses_.Divide(&resource, gaps);
}

void Objects::Unite(uintptr_t base, Resource* resource) {
  addresses_.Unite(base, resource);
  if (resource != nullptr && resource->host_addressable()) host_side_.WatchShared(*resource);
}

void Objects::ForgetReleased(uintptr_t address, uint64_t bytes) {
  size_t from = 0;
  while (Resource* resource = graveyards_.TakeIn(address, bytes, &from)) RecycleMemory(resource);
}

void Objects::MarkAllWritten(const Object* context) {
  ForEachResource([&](Resource& resource) {
    if (resource.context != context || resource.init.all()) return;
    std::lock_guard lock(resource.lock);
    resource.init.MarkAll();
  });
}

}  // namespace gpusan
