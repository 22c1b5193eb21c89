// Host blocks in a page table: each page lists the small heap blocks that begin in it; ordered maps
// hold large heap blocks and mappings, a sorted array holds variables.
#include "tracker/memory/host_memory.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <new>

#include "absl/container/btree_map.h"
#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"
#include "tracker/base/thread_storage.h"
#include "tracker/base/ticks.h"
#include "tracker/memory/heap_chunks.h"
#include "tracker/memory/unmapped_memory.h"

namespace gpusan {
namespace {

constexpr int kAddressBits = 48;
constexpr int kPageShift = 12;
constexpr int kChunkShift = 21;   // a shard guards whole chunks; a small block lies in one chunk
constexpr int kRegionShift = 30;  // the page table has one leaf per region
constexpr size_t kRegions = size_t{1} << (kAddressBits - kRegionShift);
constexpr size_t kPagesPerRegion = size_t{1} << (kRegionShift - kPageShift);
constexpr size_t kChunksPerRegion = size_t{1} << (kRegionShift - kChunkShift);
constexpr size_t kSmallBlock = 256 * 1024;  // limit for marking every page of a block
constexpr size_t kLargestBlock = size_t{1} << 40;
constexpr int kShards = 64;
constexpr uint32_t kRecordsPerSlab = 4096;
constexpr uint32_t kSlabs = 16384;  // 64 million small blocks
constexpr int kReleaseRings = 16;
constexpr int kReleases = 128;  // per ring

// A small heap block. Index 0 means no record.
struct Record {
  uintptr_t begin = 0;
  size_t bytes = 0;
  SiteId site = kUnknownSite;
  uint32_t next = 0;  // in the list of the page or in the free list of the shard

  bool Contains(uintptr_t address) const { return address - begin < bytes; }
};

struct Page {
  // Records that begin here. Read without the lock to detect an empty list.
  std::atomic<uint32_t> first{0};
  uint32_t covering = 0;  // the record that begins earlier and holds the first byte of this page
};

struct Chunk {
  std::atomic<uint32_t> small{0};  // records that begin here; changed under the shard's lock
  // Large blocks that touch the chunk. Changed under the lock of the large blocks.
  std::atomic<uint32_t> large{0};
};

struct AddressRegion {
  Page pages[kPagesPerRegion];
  Chunk chunks[kChunksPerRegion];
};

struct alignas(64) Shard {
  SpinLock lock;
  uint32_t free_record = 0;
  std::atomic<uint32_t> additions{0};
  std::atomic<uint32_t> removals{0};
};

struct Extent {
  size_t bytes;
  SiteId site;
};
using ExtentMap = absl::btree_map<uintptr_t, Extent, std::less<uintptr_t>,
                                  PageArenaAllocator<std::pair<const uintptr_t, Extent>>>;

// Blocks that do not overlap, by begin.
struct ExtentTable {
  SpinLock lock;
  std::atomic<uint32_t> changes{0};
  PageArena arena;
  ExtentMap map{ExtentMap::allocator_type(&arena)};

  // Returns the first extent that ends after `begin`.
  ExtentMap::iterator FirstTouching(uintptr_t begin) {
    auto it = map.upper_bound(begin);
    if (it != map.begin()) {
      auto before = std::prev(it);
      if (begin - before->first < before->second.bytes) return before;
    }
    return it;
  }
};

struct Release {
  HostBlock block;
  SiteId site = kUnknownSite;
  uint64_t when = 0;  // orders releases of different rings
};

// There are several rings, so that threads that free at the same time rarely contend.
struct alignas(64) ReleaseRing {
  SpinLock lock;
  uint32_t next = 0;
  Release releases[kReleases];
};

// The last result of a thread, valid while two counters do not change.
struct CachedBlock {
  // Stores a block whose whole range is valid while `counter` has the value.
  void Set(const HostBlock& known, const std::atomic<uint32_t>& counter, uint32_t value) {
    block = known;
    low = known.begin;
    bytes = known.bytes;
    first = second = &counter;
    first_value = second_value = value;
  }

  uintptr_t low = 0;
  size_t bytes = 0;
  const std::atomic<uint32_t>* first = nullptr;
  const std::atomic<uint32_t>* second = nullptr;
  uint32_t first_value = 0;
  uint32_t second_value = 0;
  const void* owner = nullptr;
  HostBlock block{};

  bool Holds(const void* asking, uintptr_t address) const {
    return address - low < bytes && owner == asking &&
           first->load(std::memory_order_acquire) == first_value &&
           second->load(std::memory_order_acquire) == second_value;
  }
};

// The last results of a thread. All zero: none.
struct CachedBlocks {
  CachedBlock found[2];
  uint8_t next;
};
static_assert(sizeof(CachedBlocks) <= sizeof(ThreadStorage::found_blocks));

// nullptr: the thread has no storage.
CachedBlocks* CachedOf(ThreadStorage* storage) {
  return storage != nullptr ? reinterpret_cast<CachedBlocks*>(storage->found_blocks) : nullptr;
}

// Initial-exec, because a dynamic TLS access could allocate inside malloc.
__attribute__((tls_model("initial-exec"))) constinit thread_local bool busy_on_thread = false;

class BusyScope {
 public:
  BusyScope() : before_(busy_on_thread) {
    busy_on_thread = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~BusyScope() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    busy_on_thread = before_;
  }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;

 private:
  bool before_;
};

void Raise(std::atomic<uintptr_t>& bound, uintptr_t value) {
  uintptr_t known = bound.load(std::memory_order_relaxed);
  while (known < value && !bound.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

void Bump(std::atomic<uint32_t>& counter) {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

bool IsSmall(uintptr_t begin, size_t bytes) {
  return bytes <= kSmallBlock && begin >> kChunkShift == (begin + bytes - 1) >> kChunkShift;
}

}  // namespace

struct HostMemory::Impl {
  std::atomic<AddressRegion*> regions[kRegions];
  std::atomic<Record*> slabs[kSlabs];
  std::atomic<uint32_t> next_record{0};
  Shard shards[kShards];
  ExtentTable large;
  ExtentTable mappings;
  ReleaseRing rings[kReleaseRings];
  // The bounds of all releases so far. The lower bound is stored as its complement, so that both
  // start at 0.
  std::atomic<uintptr_t> not_released_low{0}, released_high{0};
  const StaticBlock* static_blocks = nullptr;
  std::atomic<size_t> static_count{0};
  std::atomic<uint32_t> static_changes{0};  // for cached results; stays 0

  Shard& ShardOf(uintptr_t address) {
    return shards[((address >> kChunkShift) * 0x9e3779b97f4a7c15u) >> 58];
  }
  AddressRegion* RegionOf(uintptr_t address) const {
    const uintptr_t index = address >> kRegionShift;
    return index < kRegions ? regions[index].load(std::memory_order_acquire) : nullptr;
  }
  AddressRegion* MakeRegion(uintptr_t address);
  static Page& PageOf(AddressRegion* region, uintptr_t address) {
    return region->pages[(address >> kPageShift) % kPagesPerRegion];
  }
  static Chunk& ChunkOf(AddressRegion* region, uintptr_t address) {
    return region->chunks[(address >> kChunkShift) % kChunksPerRegion];
  }

  Record& At(uint32_t index) const {
    return slabs[index / kRecordsPerSlab].load(std::memory_order_acquire)[index % kRecordsPerSlab];
  }
  uint32_t NewRecord(Shard& shard);
  void Unlink(Shard& shard, AddressRegion* region, uint32_t index);
  void ForgetSmall(Shard& shard, AddressRegion* region, uintptr_t begin, size_t bytes);
  bool ForgetLarge(uintptr_t begin, size_t bytes);
  void EraseLarge(ExtentMap::iterator* it);
  void CutMappings(uintptr_t begin, size_t bytes);
  bool ForgetHeap(uintptr_t begin, size_t bytes);
  bool AddSmall(const HostBlock& block);
  bool AddLarge(const HostBlock& block);
  const StaticBlock* FindStatic(uintptr_t address) const;

  static bool HasLarge(AddressRegion* region, uintptr_t address) {
    return ChunkOf(region, address).large.load(std::memory_order_relaxed) != 0;
  }
  // These functions search for the block that contains the address. They store the block, and the
  // values on which the cached result depends, in `found`. They return false, without side effects,
  // if there is no such block.
  // `small_in_page`: whether small blocks touch the page of the address.
  bool FindSmall(AddressRegion* region, uintptr_t address, CachedBlock* found, bool* small_in_page);
  bool FindLarge(AddressRegion* region, uintptr_t address, CachedBlock* found);
  bool FindVariable(uintptr_t address, CachedBlock* found);
  // Stores the mapping of the address in `found`, or that it has none. The caller stores the values
  // of the counters, which it has read before its search. `heap_in_page`: whether heap blocks may
  // touch the page.
  void FindMapping(uintptr_t address, bool heap_in_page, CachedBlock* found);
};

AddressRegion* HostMemory::Impl::MakeRegion(uintptr_t address) {
  AddressRegion* region = RegionOf(address);
  if (region != nullptr) return region;
  AddressRegion* fresh = static_cast<AddressRegion*>(AllocatePages(sizeof(AddressRegion)));
  if (fresh == nullptr) return nullptr;
  if (!regions[address >> kRegionShift].compare_exchange_strong(region, fresh,
                                                                std::memory_order_acq_rel)) {
    FreePages(fresh, sizeof(AddressRegion));
    return region;
  }
  return fresh;
}

uint32_t HostMemory::Impl::NewRecord(Shard& shard) {
  if (shard.free_record == 0) {
    // Takes records for about a page at once, so that shards do not share cache lines of records.
    constexpr uint32_t kBatch = 64;
    static_assert(kRecordsPerSlab % kBatch == 0);
    const uint32_t batch = next_record.fetch_add(kBatch, std::memory_order_relaxed);
    const uint32_t slab = batch / kRecordsPerSlab;
    if (slab >= kSlabs) {
      next_record.fetch_sub(kBatch, std::memory_order_relaxed);
      return 0;
    }
    if (slabs[slab].load(std::memory_order_acquire) == nullptr) {
      Record* fresh = static_cast<Record*>(AllocatePages(sizeof(Record) * kRecordsPerSlab));
      if (fresh == nullptr) return 0;
      Record* other = nullptr;
      if (!slabs[slab].compare_exchange_strong(other, fresh, std::memory_order_acq_rel)) {
        FreePages(fresh, sizeof(Record) * kRecordsPerSlab);
      }
    }
    for (uint32_t index = batch == 0 ? 1 : batch; index < batch + kBatch; ++index) {
      At(index).next = shard.free_record;
      shard.free_record = index;
    }
  }
  const uint32_t index = shard.free_record;
  shard.free_record = At(index).next;
  return index;
}

// Removes the record from the pages that refer to it. Requires that the caller holds the shard's
// lock.
void HostMemory::Impl::Unlink(Shard& shard, AddressRegion* region, uint32_t index) {
  Record& record = At(index);
  Page& page = PageOf(region, record.begin);
  const uint32_t head = page.first.load(std::memory_order_relaxed);
  if (head == index) {
    page.first.store(record.next, std::memory_order_relaxed);
  } else {
    uint32_t before = head;
    while (At(before).next != index) before = At(before).next;
    At(before).next = record.next;
  }
  const uintptr_t last = (record.begin + record.bytes - 1) >> kPageShift;
  for (uintptr_t number = (record.begin >> kPageShift) + 1; number <= last; ++number) {
    region->pages[number % kPagesPerRegion].covering = 0;
  }
  ChunkOf(region, record.begin).small.fetch_sub(1, std::memory_order_relaxed);
  record.next = shard.free_record;
  shard.free_record = index;
  Bump(shard.removals);
}

// Forgets the small blocks that touch [begin, begin + bytes), which must lie in one chunk. Requires
// that the caller holds the shard's lock.
void HostMemory::Impl::ForgetSmall(Shard& shard, AddressRegion* region, uintptr_t begin,
                                   size_t bytes) {
  if (ChunkOf(region, begin).small.load(std::memory_order_relaxed) == 0) return;
  const uintptr_t end = begin + bytes;
  const uintptr_t first = begin >> kPageShift;
  const uintptr_t last = (end - 1) >> kPageShift;
  if (const uint32_t covering = region->pages[first % kPagesPerRegion].covering) {
    if (At(covering).begin + At(covering).bytes > begin) Unlink(shard, region, covering);
  }
  for (uintptr_t number = first; number <= last; ++number) {
    uint32_t index = region->pages[number % kPagesPerRegion].first.load(std::memory_order_relaxed);
    while (index != 0) {
      const Record& record = At(index);
      const uint32_t next = record.next;
      if (record.begin < end && record.begin + record.bytes > begin) Unlink(shard, region, index);
      index = next;
    }
  }
}

// Erases *it and advances it. Requires that the caller holds the lock of the large blocks.
void HostMemory::Impl::EraseLarge(ExtentMap::iterator* it) {
  const uintptr_t last = ((*it)->first + (*it)->second.bytes - 1) >> kChunkShift;
  for (uintptr_t number = (*it)->first >> kChunkShift; number <= last; ++number) {
    AddressRegion* region = RegionOf(number << kChunkShift);
    if (region != nullptr)
      ChunkOf(region, number << kChunkShift).large.fetch_sub(1, std::memory_order_relaxed);
  }
  *it = large.map.erase(*it);
  Bump(large.changes);
}

bool HostMemory::Impl::ForgetLarge(uintptr_t begin, size_t bytes) {
  std::lock_guard lock(large.lock);
  bool any = false;
  auto it = large.FirstTouching(begin);
  for (; it != large.map.end() && it->first < begin + bytes; any = true) EraseLarge(&it);
  return any;
}

// Forgets all heap blocks that touch the range. Returns true if a large block was one of them. The
// cost is proportional to the chunks in it that hold heap blocks.
bool HostMemory::Impl::ForgetHeap(uintptr_t begin, size_t bytes) {
  const uintptr_t end = begin + bytes;
  bool any_large = false;
  for (uintptr_t at = begin; at < end && at >> kAddressBits == 0;) {
    AddressRegion* region = RegionOf(at);
    const int shift = region == nullptr ? kRegionShift : kChunkShift;
    const uintptr_t next = ((at >> shift) + 1) << shift;
    if (region != nullptr) {
      const Chunk& chunk = ChunkOf(region, at);
      any_large |= chunk.large.load(std::memory_order_relaxed) != 0;
      if (chunk.small.load(std::memory_order_relaxed) != 0) {
        Shard& shard = ShardOf(at);
        std::lock_guard lock(shard.lock);
        ForgetSmall(shard, region, at, (next < end ? next : end) - at);
      }
    }
    at = next;
  }
  return any_large && ForgetLarge(begin, bytes);
}

void HostMemory::Impl::CutMappings(uintptr_t begin, size_t bytes) {
  const uintptr_t end = begin + bytes;
  auto it = mappings.FirstTouching(begin);
  while (it != mappings.map.end() && it->first < end) {
    const uintptr_t old_begin = it->first;
    const Extent old = it->second;
    it = mappings.map.erase(it);
    if (old_begin < begin) mappings.map.emplace(old_begin, Extent{begin - old_begin, old.site});
    if (old_begin + old.bytes > end) {
      mappings.map.emplace(end, Extent{old_begin + old.bytes - end, old.site});
      break;
    }
    it = mappings.map.lower_bound(begin);
  }
}

bool HostMemory::Impl::AddSmall(const HostBlock& block) {
  AddressRegion* region = MakeRegion(block.begin);
  if (region == nullptr) return false;
  Chunk& chunk = ChunkOf(region, block.begin);
  const bool displaced =
      chunk.large.load(std::memory_order_relaxed) != 0 && ForgetLarge(block.begin, block.bytes);
  Shard& shard = ShardOf(block.begin);
  std::lock_guard lock(shard.lock);
  ForgetSmall(shard, region, block.begin, block.bytes);
  const uint32_t index = NewRecord(shard);
  if (index == 0) return displaced;
  Page& page = PageOf(region, block.begin);
  Record& record = At(index);
  record.begin = block.begin;
  record.bytes = block.bytes;
  record.site = block.site;
  record.next = page.first.load(std::memory_order_relaxed);
  page.first.store(index, std::memory_order_relaxed);
  const uintptr_t last = (block.end() - 1) >> kPageShift;
  for (uintptr_t number = (block.begin >> kPageShift) + 1; number <= last; ++number) {
    region->pages[number % kPagesPerRegion].covering = index;
  }
  chunk.small.fetch_add(1, std::memory_order_relaxed);
  Bump(shard.additions);
  return displaced;
}

bool HostMemory::Impl::AddLarge(const HostBlock& block) {
  const bool displaced = ForgetHeap(block.begin, block.bytes);
  const uintptr_t last = (block.end() - 1) >> kChunkShift;
  std::lock_guard lock(large.lock);
  for (uintptr_t number = block.begin >> kChunkShift; number <= last; ++number) {
    AddressRegion* region = MakeRegion(number << kChunkShift);
    if (region != nullptr)
      ChunkOf(region, number << kChunkShift).large.fetch_add(1, std::memory_order_relaxed);
  }
  large.map.emplace(block.begin, Extent{block.bytes, block.site});
  Bump(large.changes);
  std::lock_guard mapping_lock(mappings.lock);
  // A mapping found earlier for an address in this block is no longer the innermost block.
  Bump(mappings.changes);
  return displaced;
}

const StaticBlock* HostMemory::Impl::FindStatic(uintptr_t address) const {
  const size_t count = static_count.load(std::memory_order_acquire);
  if (count == 0 || address < static_blocks[0].begin) return nullptr;
  const StaticBlock* end = static_blocks + count;
  if (address - end[-1].begin >= end[-1].bytes && address > end[-1].begin) return nullptr;
  const StaticBlock* after = std::upper_bound(
      static_blocks, end, address,
      [](uintptr_t value, const StaticBlock& block) { return value < block.begin; });
  return address - after[-1].begin < after[-1].bytes ? after - 1 : nullptr;
}

HostMemory::HostMemory() {
  void* memory = AllocatePages(sizeof(Impl));
  if (memory == nullptr) __builtin_trap();
  impl_ = static_cast<Impl*>(memory);
  // The other tables are all zero, which is the initial state of their atomics. Constructing them
  // would touch every page.
  new (&impl_->large) ExtentTable;
  new (&impl_->mappings) ExtentTable;
}

bool HostMemory::BusyOnThisThread() { return busy_on_thread; }

bool HostMemory::Add(const HostBlock& block) {
  if (block.bytes == 0 || block.end() < block.begin || (block.end() - 1) >> kAddressBits != 0)
    return false;
  BusyScope busy;
  bool displaced = false;
  if (block.kind == HostBlockKind::kMapping) {
    impl_->ForgetHeap(block.begin, block.bytes);
    std::lock_guard lock(impl_->mappings.lock);
    impl_->CutMappings(block.begin, block.bytes);
    impl_->mappings.map.emplace(block.begin, Extent{block.bytes, block.site});
    Bump(impl_->mappings.changes);
  } else if (IsSmall(block.begin, block.bytes)) {
    displaced = impl_->AddSmall(block);
  } else if (block.bytes <= kLargestBlock) {
    displaced = impl_->AddLarge(block);
  }
  return displaced;
}

void HostMemory::SetStatic(const StaticBlock* blocks, size_t count) {
  impl_->static_blocks = blocks;
  impl_->static_count.store(count, std::memory_order_release);
}

const char* HostMemory::StaticName(uintptr_t begin) const {
  const StaticBlock* block = impl_->FindStatic(begin);
  return block != nullptr && block->begin == begin ? block->name : nullptr;
}

bool HostMemory::RemoveHeap(uintptr_t begin, HostBlock* block) {
  AddressRegion* region = impl_->RegionOf(begin);
  if (region == nullptr) return false;
  Page& page = Impl::PageOf(region, begin);
  const bool no_large = Impl::ChunkOf(region, begin).large.load(std::memory_order_relaxed) == 0;
  if (page.first.load(std::memory_order_relaxed) == 0 && no_large) return false;
  BusyScope busy;
  {
    Shard& shard = impl_->ShardOf(begin);
    std::lock_guard lock(shard.lock);
    for (uint32_t index = page.first.load(std::memory_order_relaxed); index != 0;
         index = impl_->At(index).next) {
      const Record& record = impl_->At(index);
      if (record.begin != begin) continue;
      *block = {begin, record.bytes, HostBlockKind::kHeap, record.site};
      impl_->Unlink(shard, region, index);
      return true;
    }
  }
  if (no_large) return false;
  std::lock_guard lock(impl_->large.lock);
  auto it = impl_->large.map.find(begin);
  if (it == impl_->large.map.end()) return false;
  *block = {begin, it->second.bytes, HostBlockKind::kHeap, it->second.site};
  impl_->EraseLarge(&it);
  return true;
}

void HostMemory::RemoveMapping(uintptr_t begin, size_t bytes) {
  if (bytes == 0 || begin + bytes < begin) return;
  BusyScope busy;
  impl_->ForgetHeap(begin, bytes);
  std::lock_guard lock(impl_->mappings.lock);
  impl_->CutMappings(begin, bytes);
  Bump(impl_->mappings.changes);
}

bool HostMemory::Impl::FindSmall(AddressRegion* region, uintptr_t address, CachedBlock* found,
                                 bool* small_in_page) {
  if (ChunkOf(region, address).small.load(std::memory_order_relaxed) == 0) return false;
  Shard& shard = ShardOf(address);
  std::lock_guard lock(shard.lock);
  const Page& page = PageOf(region, address);
  uint32_t index = page.covering;
  *small_in_page = index != 0 || page.first.load(std::memory_order_relaxed) != 0;
  if (index == 0 || !At(index).Contains(address)) {
    index = page.first.load(std::memory_order_relaxed);
    while (index != 0 && !At(index).Contains(address)) index = At(index).next;
  }
  if (index == 0) return false;
  const Record& record = At(index);
  found->Set({record.begin, record.bytes, HostBlockKind::kHeap, record.site}, shard.removals,
             shard.removals.load(std::memory_order_relaxed));
  return true;
}

bool HostMemory::Impl::FindLarge(AddressRegion* region, uintptr_t address, CachedBlock* found) {
  if (!HasLarge(region, address)) return false;
  std::lock_guard lock(large.lock);
  const auto it = large.FirstTouching(address);
  if (it == large.map.end() || it->first > address) return false;
  found->Set({it->first, it->second.bytes, HostBlockKind::kHeap, it->second.site}, large.changes,
             large.changes.load(std::memory_order_relaxed));
  return true;
}

bool HostMemory::Impl::FindVariable(uintptr_t address, CachedBlock* found) {
  const StaticBlock* block = FindStatic(address);
  if (block == nullptr) return false;
  found->Set({block->begin, block->bytes, HostBlockKind::kStatic, kUnknownSite}, static_changes, 0);
  return true;
}

void HostMemory::Impl::FindMapping(uintptr_t address, bool heap_in_page, CachedBlock* found) {
  std::lock_guard lock(mappings.lock);
  const auto it = mappings.FirstTouching(address);
  // Cache a negative result too: without the malloc hooks every address is unknown.
  const bool known = it != mappings.map.end() && it->first <= address;
  if (known) found->block = {it->first, it->second.bytes, HostBlockKind::kMapping, it->second.site};
  // Heap blocks may appear inside the mapping. So the result is valid for this page only, and until
  // a heap block is added in the same shard. If no mapping is known, or if the page may have heap
  // blocks already, the result is valid for this address only.
  const bool alone = !known || heap_in_page;
  found->low = alone ? address : address >> kPageShift << kPageShift;
  found->bytes = alone ? 1 : size_t{1} << kPageShift;
  found->first = &mappings.changes;
}

bool HostMemory::Find(uintptr_t address, HostBlock* block) const {
  CachedBlocks* cache = CachedOf(StorageIfAny());
  if (cache != nullptr) [[likely]] {
    for (const CachedBlock& cached : cache->found) {
      if (cached.Holds(impl_, address)) {
        *block = cached.block;
        return cached.block.bytes != 0;
      }
    }
  }
  if (address >> kAddressBits != 0) return false;
  BusyScope busy;
  CachedBlock found;
  Shard& shard = impl_->ShardOf(address);
  found.owner = impl_;
  // Read the counters before the search: a change during the search then invalidates the cached
  // result.
  const uint32_t additions = shard.additions.load(std::memory_order_acquire);
  const uint32_t mapping_changes = impl_->mappings.changes.load(std::memory_order_acquire);
  AddressRegion* region = impl_->RegionOf(address);
  bool small_in_page = false;
  const bool on_heap =
      region != nullptr && (impl_->FindSmall(region, address, &found, &small_in_page) ||
                            impl_->FindLarge(region, address, &found));
  if (!on_heap && !impl_->FindVariable(address, &found)) {
    const bool heap_in_page =
        small_in_page || (region != nullptr && Impl::HasLarge(region, address));
    impl_->FindMapping(address, heap_in_page, &found);
    found.first_value = mapping_changes;
    found.second = &shard.additions;
    found.second_value = additions;
  }
  *block = found.block;
  if (cache == nullptr) [[unlikely]]
    cache = CachedOf(StorageOfThread());
  if (cache != nullptr) {
    cache->found[cache->next] = found;
    cache->next ^= 1;
  }
  return found.block.bytes != 0;
}

bool HostMemory::FindSpan(uintptr_t address, uint64_t bytes, HostBlock* block) const {
  if (!Find(address, block)) return false;
  while (block->kind == HostBlockKind::kMapping && bytes > block->end() - address) {
    HostBlock next;
    // In the last page of a mapping whose length is not a multiple of the page size, Find returns
    // the same mapping again.
    if (!Find(block->end(), &next) || next.end() <= block->end()) break;
    // A heap block in a mapping of unknown extent.
    if (next.kind == HostBlockKind::kHeap) return false;
    block->bytes = next.end() - block->begin;
  }
  return true;
}

namespace {

// HostMemory::MayHold for an address in no known block.
bool MayHoldUnknown(const HostMemory& memory, uintptr_t address, uint64_t bytes) {
  return (MayBeUnrecorded(bytes) || !memory.MayHaveReleased(address)) &&
         !MayExceedChunk(address, bytes) && !MayBeUnmapped(address) &&
         (bytes == 0 || !MayBeUnmapped(address + bytes - 1));
}

}  // namespace

bool HostMemory::MayHold(uintptr_t address, uint64_t bytes) const {
  if (const CachedBlocks* cache = CachedOf(StorageIfAny()); cache != nullptr) [[likely]] {
    for (const CachedBlock& cached : cache->found) {
      if (!cached.Holds(impl_, address)) continue;
      if (cached.block.bytes == 0) return MayHoldUnknown(*this, address, bytes);
      if (bytes <= cached.block.end() - address) return true;
      break;
    }
  }
  HostBlock block;
  if (!FindSpan(address, bytes, &block)) return MayHoldUnknown(*this, address, bytes);
  return bytes <= block.end() - address;
}

void HostMemory::NoteRelease(const HostBlock& block, SiteId released) {
  BusyScope busy;
  ReleaseRing& ring = impl_->rings[(block.begin * 0x9e3779b97f4a7c15u) >> 60];
  std::lock_guard lock(ring.lock);
  ring.releases[ring.next] = {block, released, Ticks()};
  ring.next = (ring.next + 1) % kReleases;
  Raise(impl_->not_released_low, ~block.begin);
  Raise(impl_->released_high, block.end());
}

bool HostMemory::MayHaveReleased(uintptr_t address) const {
  return address < impl_->released_high.load(std::memory_order_relaxed) &&
         address >= ~impl_->not_released_low.load(std::memory_order_relaxed);
}

bool HostMemory::FindReleased(uintptr_t address, HostBlock* block, SiteId* released) const {
  BusyScope busy;
  uint64_t newest = 0;
  for (ReleaseRing& ring : impl_->rings) {
    std::lock_guard lock(ring.lock);
    for (const Release& release : ring.releases) {
      if (release.when < newest || address - release.block.begin >= release.block.bytes) continue;
      newest = release.when;
      *block = release.block;
      *released = release.site;
    }
  }
  return newest != 0;
}

}  // namespace gpusan
