// How memory comes, and how what has nothing to be said of goes: the parts of Tracker that are
// inline.
#pragma once

#include <mutex>
#include <utility>

#include "tracker/tracker.h"

namespace gpusan {

template <typename T>
inline void Tracker::Enliven(const CallInfo& info, T* object, Object* context) {
  object->named.store(false, std::memory_order_relaxed);
  object->context = context;
  object->context_generation =
      context != nullptr ? context->generation.load(std::memory_order_relaxed) : 0;
  object->creator = &info;
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
  object->kind = kind;
  object->api = info.api;
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
  resource->bytes = spec.bytes;
  resource->native_flags = spec.native_flags;
  resource->flags = spec.flags;
  resource->partial_noted = false;
  resource->unseen_writes = unseen_writes_.load(std::memory_order_relaxed);
  resource->address = spec.address;
  resource->root = resource;
  resource->parent = spec.parent;
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
  resource->created = site;
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
  resource->bytes = bytes;
  resource->native_flags = native_flags;
  resource->flags &= static_cast<uint16_t>(~kRenewable);
  resource->partial_noted = false;
  resource->unseen_writes = unseen_writes_.load(std::memory_order_relaxed);
  resource->created = site;
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
    resource.flags |= kRenewable;
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
