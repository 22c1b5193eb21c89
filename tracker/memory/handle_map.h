// Map from a handle or an address to an object: a sharded open-addressing table with lock-free
// look-ups.
//
// A reader compares the shard's sequence number before and after its probe and repeats the probe if
// a writer changed it. Tables only grow. The address range of a replaced table stays mapped,
// without memory behind it, so a reader never touches unmapped memory. Erase shifts entries back
// instead of leaving tombstones, so repeated insertion and removal needs no extra memory and no
// rehash. The objects must be type-stable (slab.h). Keys must not be 0. Thread-safe.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "tracker/base/spin_lock.h"

namespace gpusan {

template <typename T>
class HandleMap {
 public:
  HandleMap() = default;
  HandleMap(const HandleMap&) = delete;
  HandleMap& operator=(const HandleMap&) = delete;

  // Returns nullptr if the key is absent.
  [[gnu::always_inline]] T* Find(uintptr_t key) const {
    const uint64_t hash = Hash(key);
    const Shard& shard = shards_[hash >> (64 - kShardBits)];
    for (;;) {
      const uint32_t before = shard.sequence.load(std::memory_order_acquire);
      if ((before & 1) == 0) {
        T* found = nullptr;
        const Table table(shard.table.load(std::memory_order_acquire));
        if (table.entries != nullptr) {
          for (size_t i = hash & table.mask;; i = (i + 1) & table.mask) {
            const uintptr_t at = table.entries[i].key.load(std::memory_order_acquire);
            if (at == key) {
              found = table.entries[i].value.load(std::memory_order_acquire);
              break;
            }
            if (at == 0) break;
          }
        }
        if (shard.sequence.load(std::memory_order_acquire) == before) return found;
      }
      SpinPause();
    }
  }

  // Maps `key` to `value`. Returns the previous value, or nullptr.
  T* Insert(uintptr_t key, T* value) {
    return Insert(key, value, [](T&, auto replace) { replace(); });
  }
  // Like Insert(key, value), but replaces a previous value by a call of on_replace(T&, replace),
  // which must call replace() exactly once. Holds the shard lock during on_replace, so that no
  // thread erases the previous value meanwhile.
  template <typename OnReplace>
  T* Insert(uintptr_t key, T* value, OnReplace on_replace) {
    const uint64_t hash = Hash(key);
    Shard& shard = shards_[hash >> (64 - kShardBits)];
    std::lock_guard lock(shard.lock);
    const Table known(shard.table.load(std::memory_order_relaxed));
    if (known.entries != nullptr) [[likely]] {
      // Programs reuse handles: the previous object of the handle is often still in the table.
      for (size_t i = hash & known.mask;; i = (i + 1) & known.mask) {
        Entry& entry = known.entries[i];
        const uintptr_t at = entry.key.load(std::memory_order_relaxed);
        if (at == key) {
          // The lock admits one writer at a time, so relaxed loads suffice.
          T* before = entry.value.load(std::memory_order_relaxed);
          on_replace(*before, [&] { entry.value.store(value, std::memory_order_release); });
          return before;
        }
        if (at == 0) {
          if ((shard.used + 1) * 4 > (known.mask + 1) * 3) [[unlikely]]
            break;
          Fill(shard, entry, key, value);
          return nullptr;
        }
      }
    }
    InsertGrown(shard, hash, key, value);
    return nullptr;
  }

  // Removes the key if it maps to `value`. Returns true if it removed the key. No other thread may
  // insert `value` during the call.
  [[gnu::always_inline]] bool Erase(uintptr_t key, const T* value) {
    return Find(key) == value && EraseFound(key, value);
  }

 private:
  [[gnu::noinline]] bool EraseFound(uintptr_t key, const T* value) {
    const uint64_t hash = Hash(key);
    Shard& shard = shards_[hash >> (64 - kShardBits)];
    std::lock_guard lock(shard.lock);
    const Table known(shard.table.load(std::memory_order_relaxed));
    if (known.entries == nullptr) return false;
    Entry* const table = known.entries;
    const size_t mask = known.mask;
    size_t hole = hash & mask;
    for (;; hole = (hole + 1) & mask) {
      const uintptr_t at = table[hole].key.load(std::memory_order_relaxed);
      if (at == 0) return false;
      if (at == key) break;
    }
    if (table[hole].value.load(std::memory_order_relaxed) != value) return false;
    // The lock admits one writer at a time. The release stores below order the odd number before
    // them.
    const uint32_t sequence = shard.sequence.load(std::memory_order_relaxed);
    shard.sequence.store(sequence + 1, std::memory_order_relaxed);
    for (size_t next = (hole + 1) & mask;; next = (next + 1) & mask) {
      const uintptr_t moved = table[next].key.load(std::memory_order_relaxed);
      if (moved == 0) break;
      const size_t home = Hash(moved) & mask;
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        table[hole].value.store(table[next].value.load(std::memory_order_relaxed),
                                std::memory_order_release);
        table[hole].key.store(moved, std::memory_order_release);
        hole = next;
      }
    }
    table[hole].key.store(0, std::memory_order_release);
    shard.sequence.store(sequence + 2, std::memory_order_release);
    --shard.used;
    return true;
  }

  static constexpr int kShardBits = 5;
  struct Entry {
    std::atomic<uintptr_t> key;
    std::atomic<T*> value;
  };
  struct alignas(64) Shard {
    std::atomic<uint32_t> sequence{0};
    // The address of the entries, which is page-aligned, with the binary logarithm of their number
    // in the low bits. One word, because a look-up needs both consistently.
    std::atomic<uintptr_t> table{0};
    SpinLock lock;
    size_t used = 0;
  };

  static uint64_t Hash(uintptr_t key) {
    const uint64_t mixed = (key >> 3) * 0x9E3779B97F4A7C15u;
    return mixed ^ (mixed >> 29);
  }
  struct Table {
    static constexpr uintptr_t kSizeBits = 63;
    static constexpr unsigned kFirst = 7;  // 128 entries

    Entry* entries;
    size_t mask;

    explicit Table(uintptr_t word)
        : entries(reinterpret_cast<Entry*>(word & ~kSizeBits)),
          mask((size_t{1} << (word & kSizeBits)) - 1) {}
  };

  // A reader that sees the key sees the value, so this insertion does not change the sequence
  // number.
  static void Fill(Shard& shard, Entry& entry, uintptr_t key, T* value) {
    entry.value.store(value, std::memory_order_relaxed);
    entry.key.store(key, std::memory_order_release);
    ++shard.used;
  }
  // Inserts an absent key when the table is full or missing. Requires that the caller holds the
  // lock.
  [[gnu::noinline]] static void InsertGrown(Shard& shard, uint64_t hash, uintptr_t key, T* value) {
    const Table table = Grow(shard);
    size_t i = hash & table.mask;
    while (table.entries[i].key.load(std::memory_order_relaxed) != 0) i = (i + 1) & table.mask;
    Fill(shard, table.entries[i], key, value);
  }

  static Table Grow(Shard& shard) {
    const uintptr_t before = shard.table.load(std::memory_order_relaxed);
    const Table old(before);
    const uintptr_t bits = old.entries == nullptr ? Table::kFirst : (before & Table::kSizeBits) + 1;
    const size_t bytes = sizeof(Entry) << bits;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) __builtin_trap();
    const uintptr_t word = reinterpret_cast<uintptr_t>(memory) | bits;
    const Table table(word);
    for (size_t i = 0; old.entries != nullptr && i <= old.mask; ++i) {
      const uintptr_t key = old.entries[i].key.load(std::memory_order_relaxed);
      if (key == 0) continue;
      size_t at = Hash(key) & table.mask;
      while (table.entries[at].key.load(std::memory_order_relaxed) != 0) at = (at + 1) & table.mask;
      table.entries[at].value.store(old.entries[i].value.load(std::memory_order_relaxed),
                                    std::memory_order_relaxed);
      table.entries[at].key.store(key, std::memory_order_relaxed);
    }
    shard.sequence.fetch_add(1, std::memory_order_acq_rel);
    shard.table.store(word, std::memory_order_release);
    shard.sequence.fetch_add(1, std::memory_order_acq_rel);
    // A reader that still probes the old table finds zeros, which end its probe, and then repeats
    // it.
    if (old.entries != nullptr) madvise(old.entries, bytes / 2, MADV_DONTNEED);
    return table;
  }

  Shard shards_[1 << kShardBits];
};

}  // namespace gpusan
