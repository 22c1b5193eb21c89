// Graveyards: the locked graveyards, and look-ups by address.
#include "tracker/objects/graveyards.h"

#include <new>

#include "tracker/base/pages.h"

namespace gpusan {

Graveyards::~Graveyards() {
  for (const std::atomic<Own*>& own : own_) {
    if (own != nullptr) FreePages(own, sizeof(Own));
  }
}

Graveyards::Own* Graveyards::MakeOwn(unsigned thread) {
  void* pages = thread < kOwners ? AllocatePages(sizeof(Own)) : nullptr;
  if (pages == nullptr) return nullptr;
  auto* own = new (pages) Own();
  own_[thread].store(own, std::memory_order_relaxed);
  return own;
}

Object* Graveyards::Put(Object* object) {
  const bool memory = object->is_memory();
  if (memory && !object->by_address()) return PutPlain(static_cast<Resource*>(object));
  if (memory) regions_.Add(object->handle, static_cast<const Resource*>(object)->bytes);
  Shared& graveyard = shared_[ThreadShard() % kShared];
  std::lock_guard lock(graveyard.lock);
  Object*& slot = memory ? graveyard.memory[graveyard.next_memory++ % kMemory]
                         : graveyard.other[graveyard.next_other++ % kOther];
  return std::exchange(slot, object);
}

bool Graveyards::Take(const Object* object) {
  if (Own* own = OwnOf(ThreadShard()); own != nullptr) {
    for (Resource*& slot : own->memory) {
      if (slot == object) return slot = nullptr, true;
    }
  }
  for (Shared& graveyard : shared_) {
    std::lock_guard lock(graveyard.lock);
    for (Object*& slot : graveyard.memory) {
      if (slot == object) return slot = nullptr, true;
    }
    for (Object*& slot : graveyard.other) {
      if (slot == object) return slot = nullptr, true;
    }
  }
  return false;
}

Resource* Graveyards::TakeIn(uintptr_t address, uint64_t bytes, size_t* from) {
  for (; *from < kShared * kMemory; ++*from) {
    Shared& graveyard = shared_[*from / kMemory];
    std::lock_guard lock(graveyard.lock);
    Object*& slot = graveyard.memory[*from % kMemory];
    if (slot == nullptr || !slot->by_address()) continue;
    const Resource* resource = static_cast<const Resource*>(slot);
    if (resource->handle - address >= bytes && address - resource->handle >= resource->bytes)
      continue;
    return static_cast<Resource*>(std::exchange(slot, nullptr));
  }
  return nullptr;
}

Resource* Graveyards::Find(uintptr_t address) {
  if (!regions_.MayHold(address)) return nullptr;
  Resource* found = nullptr;
  for (Shared& graveyard : shared_) {
    std::lock_guard lock(graveyard.lock);
    for (Object* object : graveyard.memory) {
      if (object == nullptr || !object->by_address()) continue;
      Resource* resource = static_cast<Resource*>(object);
      if (address - resource->handle >= resource->bytes) continue;
      // An allocation that began at the address explains it best.
      if (found == nullptr || found->handle != address || resource->handle == address)
        found = resource;
    }
  }
  return found;
}

}  // namespace gpusan
