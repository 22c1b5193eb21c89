// Tracker: unexplained failures, holders of memory, and the leaks of a context or the process.
#include <algorithm>
#include <map>
#include <tuple>

#include "tracker/base/sampled.h"
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan {

void Tracker::ReportFailure(Call& call, const Failure& failure) {
  if (call.explained()) return;
  if (failure.out_of_memory) {
    const Api api = call.info().api;
    const Ledger::Totals totals = ledger_.Of(api);
    const HeldMemory held = {totals.live_bytes,        totals.live_count, totals.largest_bytes,
                             PendingReleaseBytes(api), Largest(api, 3),   Holders(api)};
    Failure with_holders = failure;
    with_holders.held = &held;
    rules::OnFailure(with_holders, call);
  } else {
    rules::OnFailure(failure, call);
  }
  call.Finish(failure.code);
}

void Tracker::ReportDeviceFault(Call& call, const DeviceFault& fault) {
  faulted_.fetch_or(1u << static_cast<int>(call.info().api), std::memory_order_relaxed);
  rules::OnDeviceFault(fault, call);
}

namespace {

// Copies the properties of a live resource with memory of its own to `*use`. Other threads may
// release and reuse the resource meanwhile. Returns false if it has no memory of its own, or if it
// became another resource during the copy.
bool ReadUse(const Resource& resource, Tracker::SiteUse* use) {
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

std::vector<const Resource*> Tracker::Largest(Api api, size_t count) {
  std::vector<std::pair<uint64_t, const Resource*>> live;
  resources_.ForEach([&](Resource& resource) {
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

std::vector<MemoryHolder> Tracker::Holders(Api api) {
  std::map<SiteId, MemoryHolder> by_site;
  resources_.ForEach([&](Resource& resource) {
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

std::vector<Tracker::SiteUse> Tracker::LiveBySite() {
  absl::btree_map<std::pair<SiteId, Api>, SiteUse> by_site;
  SiteUse* last = nullptr;
  resources_.ForEach([&](Resource& resource) {
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

std::vector<Tracker::SiteUse> Tracker::PendingBySite() {
  std::vector<SiteUse> uses;
  size_t left;
  {
    std::lock_guard lock(deferred_lock_);
    left = deferred_.size();
  }
  // A few entries at a time, so that other threads do not wait long for the lock.
  while (left > 0) {
    std::lock_guard lock(deferred_lock_);
    size_t step = std::min({size_t{64}, left, deferred_.size()});
    if (step == 0) break;
    for (left -= step; step > 0; --step) TurnDeferred(nullptr);
  }
  std::lock_guard lock(deferred_lock_);
  for (const auto& [site, at] : deferred_sites_) {
    if (at.bytes != 0 && at.call != nullptr)
      uses.push_back({at.call->api, site, at.kind, at.call, at.bytes, at.count});
  }
  return uses;
}

std::string Tracker::HeldBy(const Vocabulary& words, const Resource& resource) {
  std::string held;
  auto add = [&](const std::string& line) {
    if (!held.empty()) held += "; ";
    held += line;
  };
  int more = 0;
  resources_.ForEach([&](Resource& other) {
    if (!other.live() || other.parent != &resource ||
        other.parent_generation != resource.generation)
      return;
    if (++more <= 4) add(absl::StrCat(ObjectText(other, words), ", made from it"));
  });
  kernels_.ForEach([&](Kernel& kernel) {
    if (!kernel.live()) return;
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (kernel.arguments[i].resource.get() == &resource && ++more <= 4) {
        add(absl::StrCat("argument ", i, " of ", ObjectText(kernel, words)));
      }
    }
  });
  const ResourceExtra* extra = resource.more();
  if (extra != nullptr && !extra->mappings.empty()) {
    add(absl::StrCat(extra->mappings.size(), " mapped region",
                     extra->mappings.size() == 1 ? "" : "s"));
  }
  return held;
}

namespace {

bool HoldsMemory(const Object& object) {
  return object.is_memory() || object.kind == ObjectKind::kMemoryPool ||
         object.kind == ObjectKind::kReservation || object.kind == ObjectKind::kExternalMemory;
}

bool OutlivesContext(const Object& object) {
  return object.is_memory() && static_cast<const Resource&>(object).has(kOutlivesContext);
}

}  // namespace

void Tracker::ReleaseAllOf(Call& call, Object* context) {
  std::vector<Object*> objects;
  auto visit = [&](Object& object) {
    if (object.live() && object.context == context &&
        object.context_generation == context->generation && !OutlivesContext(object))
      objects.push_back(&object);
  };
  // Release sub-resources before their parents.
  resources_.ForEach([&](Resource& resource) {
    if (resource.parent != nullptr) visit(resource);
  });
  resources_.ForEach([&](Resource& resource) {
    if (resource.parent == nullptr) visit(resource);
  });
  kernels_.ForEach(visit);
  queues_.ForEach(visit);
  events_.ForEach(visit);
  recorded_events_.ForEach(visit);
  plain_.ForEach(visit);
  for (Object* object : objects) {
    object->adopted = false;
    object->references.store(1, std::memory_order_relaxed);
    Release(call, object, true);
  }
}

void Tracker::ReportLeaks(const Vocabulary& words, Api api, Object* context) {
  // After a device fault the program can release nothing, or may exit without releasing anything.
  if ((faulted_.load(std::memory_order_relaxed) >> static_cast<int>(api) & 1) != 0 &&
      (!words.ReleasesAfterFault() || context == nullptr))
    return;
  const CallInfo no_call = {"", api};
  struct Group {
    Object* first = nullptr;
    uint64_t bytes = 0, count = 0;
    int32_t references = 0;
  };
  // One finding per kind, creation site and reference count: a loop that leaks is one defect.
  std::map<std::tuple<ObjectKind, SiteId, int32_t>, Group> groups;
  auto visit = [&](Object& object, uint64_t bytes) {
    if (!object.live() || object.api != api || object.adopted || object.owned) return;
    if (words.LeavesObjectsToExit() && !HoldsMemory(object)) return;
    if (context != nullptr &&
        (object.context != context || object.context_generation != context->generation ||
         OutlivesContext(object)))
      return;
    Group& group = groups[{object.kind, object.created, object.references.load()}];
    if (group.first == nullptr) group.first = &object;
    group.bytes += bytes;
    ++group.count;
  };
  resources_.ForEach(
      [&](Resource& resource) { visit(resource, resource.holds_memory() ? resource.bytes : 0); });
  kernels_.ForEach([&](Kernel& kernel) { visit(kernel, 0); });
  queues_.ForEach([&](Queue& queue) { visit(queue, 0); });
  events_.ForEach([&](Event& event) { visit(event, 0); });
  recorded_events_.ForEach([&](RecordedEvent& event) { visit(event, 0); });
  plain_.ForEach([&](PlainObject& object) { visit(object, 0); });
  for (auto& [key, group] : groups) {
    Call call(*this, no_call, words, nullptr, nullptr);
    Leftover leftover{group.first, group.bytes, group.count, "", context == nullptr};
    if (group.first->is_memory())
      leftover.held_by = HeldBy(words, static_cast<Resource&>(*group.first));
    rules::OnLeftover(leftover, call);
  }
}

}  // namespace gpusan
