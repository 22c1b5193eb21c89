// The option protect_maps.
#include "hooks/vulkan/mapped/map_guards.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "hooks/host/page_guard.h"
#include "hooks/vulkan/mapped/host_access.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

std::atomic<bool> map_guards_internal::on{false};

namespace {

using Fault = rules::MappedUse::Fault;

// States of a guard; an access is noted with the state.
constexpr uint32_t kPending = 0;
constexpr uint32_t kUninvalidated = 1;
constexpr uint32_t kNoBarrier = 2;

constexpr CallInfo kHostRead = {"host-read", Api::kVulkan};
constexpr CallInfo kHostWrite = {"host-write", Api::kVulkan};

struct Guarded {
  WeakRef<Resource> memory;
  DeviceUse use;
  Device* device = nullptr;
  bool coherent = true;
  SiteId map_site = kUnknownSite;
  uintptr_t base = 0;  // address of the memory object's first byte
  uint32_t state = kPending;
};

// Taken after the locks of queues and memory.
std::mutex g_lock;
std::map<uint64_t, Guarded> g_guarded;  // by tag
uint64_t g_last_tag = PageGuards::kVulkanTags;

void Tell(Tracker& tracker, const GuardedAccess& access, const Guarded& guarded) {
  Resource* memory = guarded.memory.get();
  if (memory == nullptr) return;
  const DeviceUse& use = guarded.use;
  rules::MappedUse found;
  found.certain = use.exact;
  if (access.state == kPending) {
    found.fault = access.write ? Fault::kWriteInFlight : Fault::kReadInFlight;
  } else {
    // A write of the host does not need the earlier content.
    if (access.write) return;
    found.fault = access.state == kUninvalidated ? Fault::kUninvalidated : Fault::kNoHostBarrier;
  }
  found.memory = memory;
  found.resource = use.resource.get();
  found.offset = access.address - guarded.base;
  found.bytes = use.end - std::min(use.end, found.offset);
  found.device = use.call;
  found.device_site = use.site;
  found.device_label = use.label;
  found.device_writes = use.write;
  found.stages = use.stage;
  found.accesses = use.access;
  found.map_site = guarded.map_site;
  Call made(tracker, access.write ? kHostWrite : kHostRead, Words(), nullptr, nullptr, access.site);
  rules::OnMappedUse(found, made);
}

// What was noticed, and its guards are gone.
std::vector<std::pair<GuardedAccess, Guarded>> TakeNoticed() {
  std::vector<std::pair<GuardedAccess, Guarded>> noticed;
  if (!PageGuards::Noticed()) return noticed;
  const std::vector<GuardedAccess> accesses = PageGuards::Take(PageGuards::kVulkanTags);
  std::lock_guard lock(g_lock);
  for (const GuardedAccess& access : accesses) {
    const auto found = g_guarded.find(access.tag);
    if (found == g_guarded.end()) continue;
    noticed.emplace_back(access, std::move(found->second));
    g_guarded.erase(found);
  }
  return noticed;
}

}  // namespace

void GuardMaps() { map_guards_internal::on.store(true, std::memory_order_relaxed); }

void GuardUseNow(VkCall& call, Resource& memory, const MemoryState& state, const DeviceUse& use) {
  if (state.mapped == nullptr || state.foreign || use.gated || (!use.write && !use.exact) ||
      call.device().cpu)
    return;
  const uintptr_t base = reinterpret_cast<uintptr_t>(state.mapped) - state.mapped_range.offset;
  const uint64_t begin = std::max(use.begin, state.mapped_range.offset);
  const uint64_t end = std::min(use.end, state.mapped_range.end());
  if (begin >= end) return;
  std::lock_guard lock(g_lock);
  for (auto& [tag, guarded] : g_guarded) {
    const DeviceUse& known = guarded.use;
    if (guarded.base != base || known.queue != use.queue || known.write != use.write ||
        known.begin != use.begin || known.end != use.end)
      continue;
    guarded.use = use;
    guarded.state = kPending;
    // A driver may have changed the protection meanwhile.
    if (!PageGuards::SetState(tag, kPending))
      PageGuards::Guard(base + begin, base + end, use.write, tag);
    return;
  }
  const uint64_t tag = ++g_last_tag;
  if (!PageGuards::Guard(base + begin, base + end, use.write, tag)) return;
  g_guarded[tag] = {
      WeakRef<Resource>(&memory), use, &call.device(), state.coherent, state.map_site, base};
}

void NoteGuardedBarrier(const Resource& memory, uint64_t begin, uint64_t end) {
  if (!GuardsMaps()) return;
  std::lock_guard lock(g_lock);
  for (auto& [tag, guarded] : g_guarded) {
    if (guarded.memory.get() == &memory && guarded.use.Overlaps(begin, end))
      guarded.use.host_visible = true;
  }
}

void NoteGuardedInvalidation(const Resource& memory, uint64_t begin, uint64_t end) {
  if (!GuardsMaps()) return;
  std::lock_guard lock(g_lock);
  for (auto at = g_guarded.begin(); at != g_guarded.end();) {
    if (at->second.memory.get() == &memory && at->second.use.Overlaps(begin, end) &&
        at->second.state != kPending) {
      PageGuards::Remove(at->first);
      at = g_guarded.erase(at);
    } else {
      ++at;
    }
  }
}

void DropGuards(VkCall& call, const MemoryState& state) {
  if (!GuardsMaps() || state.mapped == nullptr) return;
  SettleGuards(call);
  const auto begin = reinterpret_cast<uintptr_t>(state.mapped);
  const uintptr_t base = begin - state.mapped_range.offset;
  PageGuards::RemoveIn(begin, begin + state.mapped_range.width);
  std::lock_guard lock(g_lock);
  std::erase_if(g_guarded, [&](const auto& entry) { return entry.second.base == base; });
}

void SettleGuardsNow(VkCall& call) {
  TellGuarded(call.tracker());
  const HostClock& host = call.tracker().ordering().host();
  std::vector<std::pair<uint64_t, Guarded>> complete;
  {
    std::lock_guard lock(g_lock);
    for (const auto& [tag, guarded] : g_guarded) {
      if (guarded.state == kPending && host.Completed(guarded.use.epoch))
        complete.emplace_back(tag, guarded);
    }
  }
  for (auto& [tag, guarded] : complete) {
    uint32_t state = kPending;
    if (guarded.use.write && !guarded.coherent) {
      state = kUninvalidated;
    } else if (guarded.use.write && guarded.device == &call.device() &&
               !HostSees(*guarded.device, guarded.use)) {
      state = kNoBarrier;
    }
    std::lock_guard lock(g_lock);
    const auto found = g_guarded.find(tag);
    if (found == g_guarded.end()) continue;
    if (state == kPending) {
      PageGuards::Remove(tag);
      g_guarded.erase(found);
    } else {
      found->second.state = state;
      PageGuards::SetState(tag, state);
    }
  }
}

void TellGuardedNow(Tracker& tracker) {
  for (const auto& [access, guarded] : TakeNoticed()) Tell(tracker, access, guarded);
}

}  // namespace gpusan::vulkan
