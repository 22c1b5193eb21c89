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
  Shared& graveyard = shared_[ThreadShard() % kShared];
  if (!memory) {
    std::lock_guard lock(graveyard.lock);
    return std::exchange(graveyard.other[graveyard.next_other++ % kOther], object);
  }
  const uint32_t release =
      regions_.Add(object->handle, static_cast<const Resource*>(object)->bytes);
  std::lock_guard lock(graveyard.lock);
  const size_t slot = graveyard.next_memory++ % kMemory;
  graveyard.releases[slot] = release;
  return std::exchange(graveyard.memory[slot], object);
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
  uint32_t last = 0;
  for (Shared& graveyard : shared_) {
    std::lock_guard lock(graveyard.lock);
    for (size_t i = 0; i < kMemory; ++i) {
      if (graveyard.memory[i] == nullptr || !graveyard.memory[i]->by_address()) continue;
      Resource* resource = static_cast<Resource*>(graveyard.memory[i]);
      if (address - resource->handle >= resource->bytes) continue;
      // An allocation that began at the address explains it best.
      const bool begins = resource->handle == address;
      const bool found_begins = found != nullptr && found->handle == address;
      const bool later = static_cast<int32_t>(graveyard.releases[i] - last) > 0;
      if (found != nullptr && (begins == found_begins ? !later : found_begins)) continue;
      found = resource;
      last = graveyard.releases[i];
    }
  }
  return found;
}

}  // namespace gpusan
