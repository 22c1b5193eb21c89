// Sums of live memory by call site, and the largest resources.
#include "tracker/state/memory_use.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/container/btree_map.h"
#include "tracker/base/sampled.h"
#include "tracker/memory/growth_watch.h"

namespace gpusan {
namespace {

// Copies the properties of a live resource with memory of its own to `*use`. Other threads may
// release and reuse the resource meanwhile. Returns false if it has no memory of its own, or if it
// became another resource during the copy.
bool ReadUse(const Resource& resource, SiteUse* use) {
  const uint32_t generation = resource.generation.load(std::memory_order_acquire);
  if (resource.state.load(std::memory_order_acquire) != ObjectState::kLive) return false;
  const ObjectKind kind = LoadSampled(resource.kind);
  // The same condition as in holds_memory().
  if (LoadSampled(resource.parent) != nullptr || kind == ObjectKind::kMappedMemory ||
      (LoadSampled(resource.flags) & kBoundMemory) != 0)
    return false;
  *use = {LoadSampled(resource.api),     LoadSampled(resource.created), kind,
          LoadSampled(resource.creator), LoadSampled(resource.bytes),   1};
  std::atomic_thread_fence(std::memory_order_acquire);
  return resource.generation.load(std::memory_order_relaxed) == generation;
}

}  // namespace

std::vector<const Resource*> LargestOf(Objects& objects, Api api, size_t count) {
  std::vector<std::pair<uint64_t, const Resource*>> live;
  objects.ForEachResource([&](Resource& resource) {
    SiteUse use;
    if (ReadUse(resource, &use) && use.api == api) live.emplace_back(use.bytes, &resource);
  });
  count = std::min(count, live.size());
  std::partial_sort(live.begin(), live.begin() + static_cast<ptrdiff_t>(count), live.end(),
                    [](const auto& a, const auto& b) {
                      return std::pair(b.first, a.second) < std::pair(a.first, b.second);
                    });
  std::vector<const Resource*> largest;
  for (size_t i = 0; i < count; ++i) largest.push_back(live[i].second);
  return largest;
}

std::vector<MemoryHolder> HoldersOf(Objects& objects, Api api) {
  std::map<SiteId, MemoryHolder> by_site;
  objects.ForEachResource([&](Resource& resource) {
    SiteUse use;
    if (!ReadUse(resource, &use) || use.api != api) return;
    MemoryHolder& holder = by_site[use.site];
    holder.site = use.site;
    holder.call = use.call;
    holder.bytes += use.bytes;
    ++holder.count;
  });
  std::vector<MemoryHolder> holders;
  holders.reserve(by_site.size());
  for (const auto& [site, holder] : by_site) holders.push_back(holder);
  std::sort(holders.begin(), holders.end(), [](const MemoryHolder& a, const MemoryHolder& b) {
    return std::tie(b.bytes, a.site) < std::tie(a.bytes, b.site);
  });
  return holders;
}

std::vector<SiteUse> LiveBySite(Objects& objects) {
  absl::btree_map<std::pair<SiteId, Api>, SiteUse> by_site;
  SiteUse* last = nullptr;
  objects.ForEachResource([&](Resource& resource) {
    SiteUse one;
    if (!ReadUse(resource, &one)) return;
    // Neighbours in a slab often have the same creation site.
    if (last == nullptr || last->site != one.site || last->api != one.api) {
      const auto [found, is_new] = by_site.try_emplace({one.site, one.api}, one);
      last = &found->second;
      if (is_new) return;
    }
    last->bytes += one.bytes;
    last->count += 1;
  });
  std::vector<SiteUse> uses;
  uses.reserve(by_site.size());
  for (const auto& [key, use] : by_site) uses.push_back(use);
  return uses;
}

std::vector<SiteUse> ObjectsBySite(Objects& objects) {
  constexpr KindMask kKinds = AnyOf(
      ObjectKind::kQueue, ObjectKind::kRecordedEvent, ObjectKind::kGraph, ObjectKind::kGraphExec,
      ObjectKind::kTexture, ObjectKind::kSurface, ObjectKind::kProgram, ObjectKind::kUserObject);
  absl::btree_map<std::pair<SiteId, Api>, SiteUse> by_site;
  objects.ForEachOther([&](Object& object) {
    const uint32_t generation = object.generation.load(std::memory_order_acquire);
    const SiteUse one = {LoadSampled(object.api),
                         LoadSampled(object.created),
                         LoadSampled(object.kind),
                         LoadSampled(object.creator),
                         kObjectWeight,
                         1};
    if ((MaskOf(one.kind) & kKinds) == 0 || LoadSampled(object.adopted) ||
        LoadSampled(object.owned))
      return;
    std::atomic_thread_fence(std::memory_order_acquire);
    if (object.generation.load(std::memory_order_relaxed) != generation) return;
    const auto [found, is_new] = by_site.try_emplace({one.site, one.api}, one);
    if (is_new) return;
    found->second.bytes += one.bytes;
    found->second.count += 1;
  });
  std::vector<SiteUse> uses;
  uses.reserve(by_site.size());
  for (const auto& [key, use] : by_site) uses.push_back(use);
  return uses;
}

}  // namespace gpusan
