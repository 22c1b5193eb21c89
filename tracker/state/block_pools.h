// Memory that an allocator of the program divides into blocks: pools and caching allocators.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/inlined_vector.h"
#include "tracker/calls/call.h"
#include "tracker/memory/init_map.h"
#include "tracker/objects/queue.h"
#include "tracker/objects/resource.h"
#include "tracker/order/access.h"
#include "tracker/state/accesses.h"
#include "tracker/state/objects.h"
#include "tracker/state/ordering.h"

namespace gpusan {

// Pools: each divides one live allocation, its parent, into blocks. A block is a resource of its
// own, with its own size, accesses and written bytes. A new block inherits the pending accesses
// that earlier owners made to its bytes, so that a reuse without order is a race. While a pool
// exists, addresses inside of the parent find its blocks.
//
// A contradiction, such as a block that overlaps a live block, means that gpusan misunderstands the
// allocator. It then dissolves the pool: the parent counts as one written allocation again, and
// later calls for its blocks have no effect until the parent is released.
//
// Thread-safe. The mutex is outside of all other locks of the tracker; no rule runs under it.
class BlockPools {
 public:
  BlockPools(Ordering& ordering, Objects& objects, Accesses& accesses)
      : ordering_(ordering), objects_(objects), accesses_(accesses) {}
  BlockPools(const BlockPools&) = delete;
  BlockPools& operator=(const BlockPools&) = delete;

  // False until the first pool is created. Costs one load.
  bool any() const { return any_.load(std::memory_order_relaxed); }

  // Creates a pool over `parent`. `exact`: addresses in no block are invalid; otherwise they are
  // addresses of the parent. Returns false, without side effects, for memory that cannot be
  // divided: a part of a resource, memory in stream order, of another process or of the program's
  // host blocks, or a dissolved parent.
  bool Create(Resource& parent, bool exact);
  // Ends the pool whose parent begins at `base`, and its blocks. Idempotent.
  void Destroy(Call& call, uintptr_t base);
  // As Destroy, and prevents that the parent is divided again. For memory whose blocks gpusan does
  // not understand.
  void Dissolve(Call& call, uintptr_t base);
  // Returns the base of the pool that contains the address; 0: there is none.
  uintptr_t Find(uintptr_t address);
  // Returns false if UseParent() returns nullptr for a command on the resource `found` that ends at
  // byte `end` of it. Takes no lock.
  bool MayUseParent(const Resource& found, uint64_t end) const {
    if (!any()) return false;
    return found.is_block() ? end > found.bytes : objects_.addresses().IsDivided(found);
  }
  // Returns the parent of the pool if a command on [address, address + bytes) uses the parent and
  // not one block: the range covers the parent, or begins in no block. These bytes count as written
  // from then on, in every block. Returns nullptr, without side effects, otherwise.
  Resource* UseParent(uintptr_t address, uint64_t bytes);

  struct NewBlock {
    uintptr_t address = 0;
    uint64_t bytes = 0;
    bool written = false;    // the allocator hands out memory with content
    bool owned = false;      // the allocator keeps blocks by design: no leak is reported
    Queue* queue = nullptr;  // uses must be ordered after this point of it; nullptr: any use may be
  };
  // Creates a block of the pool. Returns nullptr if there is no such pool, or if the block
  // contradicts it.
  Resource* Allocate(Call& call, uintptr_t base, const NewBlock& block);
  // Releases the block that begins at `address`. `queue`: uses must be ordered before this point of
  // it; nullptr: the end of a use is not checked. Returns false if there is no such block.
  // CheckFree() finds out whether the program freed the block twice.
  bool Free(Call& call, uintptr_t base, uintptr_t address, Queue* queue);
  void CheckFree(Call& call, uintptr_t base, uintptr_t address);
  // Declares that the allocator orders the reuse of the block after the commands that `queue` has
  // at the release of the block.
  void NoteUse(uintptr_t base, uintptr_t address, Queue& queue);

  // Returns the live parents of all pools.
  std::vector<const Resource*> Divided();

 private:
  struct Block {
    WeakRef<Resource> resource;
    // The allocator orders the reuse of the block after the work of these.
    absl::InlinedVector<WeakRef<Queue>, 1> users;
  };
  struct Pool {
    WeakRef<Resource> parent;
    uintptr_t base = 0;
    uint64_t bytes = 0;
    bool has_content = false;                  // of the parent at the creation of the pool
    InitMap used;                              // bytes that have been a block
    InitMap content;                           // bytes that a command on the parent used
    absl::btree_map<uintptr_t, Block> blocks;  // live ones by address
    // Pending accesses of released blocks and of the parent. Their regions contain addresses.
    std::vector<Access> earlier;
  };
  static constexpr size_t kMostEarlier = 256;
  static constexpr size_t kMostDissolved = 4096;

  // All require that the mutex is held.
  Pool* At(uintptr_t address);  // the pool that contains the address, if its parent lives
  void End(Call& call, Pool& pool);
  void Keep(Pool& pool, const Access& access, uintptr_t base);
  void ForgetUsers(const Block& block);
  void TakeHistory(Pool& pool, Resource& resource);
  void Inherit(Pool& pool, Resource& block);
  // Records that the block is allocated or freed at the next point of the queue.
  void RecordLifetime(Call& call, Queue* queue, Resource& block, AccessRole role);

  Ordering& ordering_;
  Objects& objects_;
  Accesses& accesses_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  absl::btree_map<uintptr_t, std::unique_ptr<Pool>> pools_;  // by base
  // Parents that are not divided again.
  absl::btree_map<uintptr_t, WeakRef<Resource>> dissolved_;
};

}  // namespace gpusan
