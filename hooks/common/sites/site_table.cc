// The table of interned stacks. Append-only, so that a fork during an insertion loses only that
// stack.
#include "hooks/common/sites/site_table.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <new>

#include "hooks/common/sites/source_functions.h"
#include "tracker/base/pages.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

constexpr uint32_t kMaxSites = 1u << 20;
constexpr uint32_t kSlab = 4096;
// A frame of a loaded file is one word: module above, offset below. The highest bit is 0, unlike
// that of WordOf(SourceFrame).
constexpr int kModuleShift = 48;
constexpr int kMaxWords = kMaxSiteFrames + kMaxSiteSourceFrames;

// The words of source frames precede the others.
struct Site {
  const uint64_t* frames;
  uint32_t hash;
  uint16_t source_count;
  uint16_t count;  // of all frames
};

struct Table {
  SpinLock lock;
  std::atomic<uint32_t> count{0};
  std::atomic<uint64_t> dropped{0};
  std::atomic<Site*> slabs[kMaxSites / kSlab]{};
  uint32_t* buckets = nullptr;  // open addressing, a power of two, at most half full
  uint32_t bucket_count = 0;
  uint64_t* frames = nullptr;  // storage for the frames of the next stack
  size_t frames_left = 0;
};
constinit Table table;

const Site& At(SiteId id) {
  return table.slabs[id / kSlab].load(std::memory_order_acquire)[id % kSlab];
}

uint32_t HashOf(const uint64_t* words, int count) {
  uint64_t hash = static_cast<uint64_t>(count);
  for (int i = 0; i < count; ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

// Requires the table's lock. The old buckets stay in use until the new ones are complete.
bool Grow() {
  const uint32_t wanted = table.bucket_count == 0 ? 4096 : table.bucket_count * 2;
  auto* fresh = static_cast<uint32_t*>(AllocatePages(wanted * sizeof(uint32_t)));
  if (fresh == nullptr) return false;
  const uint32_t count = table.count.load(std::memory_order_relaxed);
  for (SiteId id = 1; id <= count; ++id) {
    uint32_t at = At(id).hash % wanted;
    while (fresh[at] != 0) at = (at + 1) % wanted;
    fresh[at] = id;
  }
  uint32_t* old = table.buckets;
  const uint32_t old_count = table.bucket_count;
  table.buckets = fresh;
  table.bucket_count = wanted;
  if (old != nullptr) FreePages(old, old_count * sizeof(uint32_t));
  return true;
}

// Requires the table's lock.
SiteId Append(const uint64_t* words, int count, int source_count, uint32_t hash) {
  const SiteId id = table.count.load(std::memory_order_relaxed) + 1;
  if (id >= kMaxSites) return kUnknownSite;
  if (table.frames_left < static_cast<size_t>(count)) {
    constexpr size_t kWords = 64 * 1024 / sizeof(uint64_t);
    table.frames_left = 0;
    table.frames = static_cast<uint64_t*>(AllocatePages(kWords * sizeof(uint64_t)));
    if (table.frames == nullptr) return kUnknownSite;
    table.frames_left = kWords;
  }
  std::atomic<Site*>& slab = table.slabs[id / kSlab];
  if (slab.load(std::memory_order_relaxed) == nullptr) {
    Site* sites = static_cast<Site*>(AllocatePages(sizeof(Site) * kSlab));
    if (sites == nullptr) return kUnknownSite;
    slab.store(sites, std::memory_order_release);
  }
  memcpy(table.frames, words, count * sizeof(uint64_t));
  slab.load(std::memory_order_relaxed)[id % kSlab] = {
      table.frames, hash, static_cast<uint16_t>(source_count), static_cast<uint16_t>(count)};
  table.frames += count;
  table.frames_left -= count;
  table.count.store(id, std::memory_order_release);
  return id;
}

}  // namespace

SiteId InternSite(const SiteFrame* frames, int frame_count, const SourceFrame* source_frames,
                  int source_count) {
  if (frame_count <= 0) return kUnknownSite;
  if (frame_count > kMaxSiteFrames) frame_count = kMaxSiteFrames;
  if (source_count > kMaxSiteSourceFrames) source_count = kMaxSiteSourceFrames;
  uint64_t words[kMaxWords];
  int count = 0;
  for (int i = 0; i < source_count; ++i) words[count++] = WordOf(source_frames[i]);
  for (int i = 0; i < frame_count; ++i) {
    words[count++] = (uint64_t{frames[i].module} << kModuleShift) |
                     (frames[i].offset & ((uint64_t{1} << kModuleShift) - 1));
  }
  const uint32_t hash = HashOf(words, count);
  std::lock_guard lock(table.lock);
  if (table.count.load(std::memory_order_relaxed) * 2 >= table.bucket_count && !Grow() &&
      table.count.load(std::memory_order_relaxed) + 1 >= table.bucket_count) {
    table.dropped.fetch_add(1, std::memory_order_relaxed);
    return kUnknownSite;
  }
  uint32_t at = hash % table.bucket_count;
  for (; table.buckets[at] != 0; at = (at + 1) % table.bucket_count) {
    const Site& site = At(table.buckets[at]);
    if (site.hash == hash && site.count == count &&
        memcmp(site.frames, words, count * sizeof(uint64_t)) == 0) {
      return table.buckets[at];
    }
  }
  const SiteId id = Append(words, count, source_count, hash);
  if (id == kUnknownSite) {
    table.dropped.fetch_add(1, std::memory_order_relaxed);
    return kUnknownSite;
  }
  table.buckets[at] = id;
  return id;
}

int SiteFrames(SiteId site, SiteFrame* frames, int capacity) {
  if (site == kUnknownSite || site > table.count.load(std::memory_order_acquire)) return 0;
  const Site& kept = At(site);
  int written = 0;
  for (int i = kept.source_count; written < capacity && i < kept.count; ++i) {
    const uint64_t word = kept.frames[i];
    frames[written++] = {static_cast<uint32_t>(word >> kModuleShift),
                         word & ((uint64_t{1} << kModuleShift) - 1)};
  }
  return written;
}

int SiteSourceFrames(SiteId site, SourceFrame* frames, int capacity) {
  if (site == kUnknownSite || site > table.count.load(std::memory_order_acquire)) return 0;
  const Site& kept = At(site);
  int written = 0;
  for (; written < capacity && written < kept.source_count; ++written)
    frames[written] = SourceFrameFrom(kept.frames[written]);
  return written;
}

uint64_t SitesDropped() { return table.dropped.load(std::memory_order_relaxed); }

void ResetSiteTableAfterFork() { new (&table.lock) SpinLock; }

}  // namespace gpusan
