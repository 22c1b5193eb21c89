// Type-stable storage: the memory of an object is reused only for objects of the same type and is
// never unmapped.
//
// So a stale pointer stays readable, and its generation can be compared, at any time. Memory use is
// bounded by the peak number of objects, however long the process runs. Thread-safe: each thread
// keeps a few free objects in a private list; the other free objects are in a few sharded lists,
// which limits contention between cores.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <new>

#include "tracker/base/slab_cache.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {

// Returns a number that is unique to the calling thread, from 1.
[[gnu::always_inline]] inline unsigned ThreadShard() {
  static std::atomic<unsigned> next{0};
  static constinit thread_local unsigned shard = 0;  // 0: not assigned yet
  if (shard == 0) [[unlikely]]
    shard = next.fetch_add(1, std::memory_order_relaxed) + 1;
  return shard;
}

// T must have a public member `T* next_free`. The slab uses it only while the object is free, so it
// may share storage with members that the user sets after each New. Objects are never destroyed,
// and New does not construct an object again: the user resets it.
template <typename T>
class Slab {
 public:
  Slab() = default;
  // For tests only. No object of this slab may be used afterwards.
  ~Slab() { ForgetSlab(number_); }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  // Returns a free object. Never returns nullptr: ends the process when memory is exhausted, as
  // operator new does.
  [[gnu::always_inline]] T* New() {
    if (SlabLists* lists = slab_lists; lists != nullptr && number_ != 0) [[likely]] {
      SlabList& kept = lists->of[number_];
      if (T* object = static_cast<T*>(kept.first); object != nullptr) [[likely]] {
        kept.first = object->next_free;
        --kept.count;
        return object;
      }
    }
    return NewOfShard();
  }

  [[gnu::always_inline]] void Delete(T* object) {
    SlabLists* lists = slab_lists != nullptr ? slab_lists : MakeSlabLists();
    if (lists != nullptr && number_ != 0) [[likely]] {
      SlabList& kept = lists->of[number_];
      if (kept.count < SlabList::kMost) [[likely]] {
        object->next_free = static_cast<T*>(kept.first);
        kept.first = object;
        ++kept.count;
        return;
      }
    }
    DeleteToShard(object);
  }

  // Calls `visit(T&)` for every object that was ever constructed, live or free. May miss objects
  // that are constructed during the call.
  template <typename Visitor>
  void ForEach(Visitor visit) {
    for (Chunk* chunk = chunks_.load(std::memory_order_acquire); chunk != nullptr;
         chunk = chunk->next) {
      const size_t made = chunk->made.load(std::memory_order_acquire);
      for (size_t i = 0; i < made; ++i) visit(chunk->objects()[i]);
    }
  }

  // Bytes of address space. Only the part of a chunk that holds constructed objects uses memory.
  size_t bytes_mapped() const { return bytes_mapped_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kShards = 8;
  static constexpr size_t kChunkBytes = 64 * 1024;
  struct Chunk {
    Chunk* next;
    std::atomic<size_t> made;  // number of constructed objects
    T* objects() { return reinterpret_cast<T*>(reinterpret_cast<char*>(this) + kHeader); }
  };
  static constexpr size_t kHeader = (sizeof(Chunk) + alignof(T) - 1) / alignof(T) * alignof(T);
  static constexpr size_t kPerChunk = (kChunkBytes - kHeader) / sizeof(T);
  // Objects that one Refill constructs: about a page, so that memory use grows with demand.
  static constexpr size_t kBatch = sizeof(T) >= 4096 ? 1 : 4096 / sizeof(T);
  struct alignas(64) Shard {
    SpinLock lock;
    T* free = nullptr;
    Chunk* open = nullptr;  // the chunk in which this shard constructs objects
  };

  [[gnu::noinline]] T* NewOfShard() {
    Shard& shard = shards_[ThreadShard() % kShards];
    std::lock_guard lock(shard.lock);
    if (shard.free == nullptr && !Steal(shard)) Refill(shard);
    T* object = shard.free;
    shard.free = object->next_free;
    return object;
  }
  [[gnu::noinline]] void DeleteToShard(T* object) {
    Shard& shard = shards_[ThreadShard() % kShards];
    std::lock_guard lock(shard.lock);
    object->next_free = shard.free;
    shard.free = object;
  }

  // SlabActions::take: moves the private list of an ending thread to the shards.
  static void Take(void* slab, void* first) {
    for (T* object = static_cast<T*>(first); object != nullptr;) {
      T* next = object->next_free;
      Shard& shard = static_cast<Slab*>(slab)->shards_[ThreadShard() % kShards];
      std::lock_guard lock(shard.lock);
      object->next_free = shard.free;
      shard.free = object;
      object = next;
    }
  }

  // SlabActions::reset: abandons the free objects of all shards, because another thread may have
  // been changing them during the fork.
  static void Reset(void* slab) {
    for (Shard& shard : static_cast<Slab*>(slab)->shards_) new (&shard) Shard;
  }

  // Takes the free objects of another shard. Without this, memory would grow without bound when one
  // thread calls New and another calls Delete. Uses try_lock on the other shards because the caller
  // already holds one shard lock.
  bool Steal(Shard& shard) {
    for (Shard& other : shards_) {
      if (&other == &shard || !other.lock.try_lock()) continue;
      shard.free = other.free;
      other.free = nullptr;
      other.lock.unlock();
      if (shard.free != nullptr) return true;
    }
    return false;
  }

  void Refill(Shard& shard) {
    if (shard.open == nullptr || shard.open->made.load(std::memory_order_relaxed) == kPerChunk)
      shard.open = NewChunk();
    Chunk* chunk = shard.open;
    const size_t begin = chunk->made.load(std::memory_order_relaxed);
    const size_t end = begin + kBatch < kPerChunk ? begin + kBatch : kPerChunk;
    for (size_t i = end; i-- > begin;) {
      T* object = new (chunk->objects() + i) T();
      object->next_free = shard.free;
      shard.free = object;
    }
    chunk->made.store(end, std::memory_order_release);
  }

  Chunk* NewChunk() {
    void* memory =
        mmap(nullptr, kChunkBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) __builtin_trap();
    Chunk* chunk = new (memory) Chunk{nullptr, 0};
    bytes_mapped_.fetch_add(kChunkBytes, std::memory_order_relaxed);
    chunk->next = chunks_.load(std::memory_order_relaxed);
    while (!chunks_.compare_exchange_weak(chunk->next, chunk, std::memory_order_release,
                                          std::memory_order_relaxed)) {
    }
    return chunk;
  }

  const unsigned number_ = NumberSlab(this, {&Take, &Reset});
  Shard shards_[kShards];
  std::atomic<Chunk*> chunks_{nullptr};
  std::atomic<size_t> bytes_mapped_{0};
};

}  // namespace gpusan
