// The option protect_maps.
#include "hooks/vulkan/mapped/map_guards.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/host/guard_table.h"
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

struct Guards : GuardTable<Guarded> {
  Guards() : GuardTable(PageGuards::kVulkanTags) {}
};
constinit ProcessState<Guards> g_guards;
const ForkReset g_reset([] { g_guards.Forget(); });

void Report(Tracker& tracker, const GuardedAccess& access, const Guarded& guarded) {
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
  // Other memory of the process may share the first page of a mapping that begins inside of it.
  constexpr uintptr_t kPage = 4096;
  const bool parts = base % kPage == 0;
  PageGuards::Resume();
  Guards& guards = g_guards.Get();
  const bool again = guards.Find([&](uint64_t tag, Guarded& guarded) {
    const DeviceUse& known = guarded.use;
    if (guarded.base != base || known.queue != use.queue || known.write != use.write ||
        known.begin != use.begin || known.end != use.end)
      return false;
    guarded.use = use;
    guarded.state = kPending;
    // A driver may have changed the protection meanwhile.
    if (!PageGuards::SetState(tag, kPending))
      PageGuards::Guard(base + begin, base + end, use.write, tag, parts);
    return true;
  });
  if (again) return;
  guards.Add(
      base + begin, base + end, use.write,
      {WeakRef<Resource>(&memory), use, &call.device(), state.coherent, state.map_site, base},
      parts);
}

void NoteGuardedBarrier(const Resource& memory, uint64_t begin, uint64_t end) {
  if (!GuardsMaps()) return;
  g_guards.Get().Find([&](uint64_t, Guarded& guarded) {
    if (guarded.memory.get() == &memory && guarded.use.Overlaps(begin, end))
      guarded.use.host_visible = true;
    return false;
  });
}

void NoteGuardedInvalidation(const Resource& memory, uint64_t begin, uint64_t end) {
  if (!GuardsMaps()) return;
  g_guards.Get().RemoveIf([&](const Guarded& guarded) {
    return guarded.memory.get() == &memory && guarded.use.Overlaps(begin, end) &&
           guarded.state != kPending;
  });
}

void DropGuards(VkCall& call, const MemoryState& state) {
  if (!GuardsMaps() || state.mapped == nullptr) return;
  SettleGuards(call);
  const auto begin = reinterpret_cast<uintptr_t>(state.mapped);
  const uintptr_t base = begin - state.mapped_range.offset;
  PageGuards::RemoveIn(begin, begin + state.mapped_range.width);
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return guarded.base == base; });
}

void SettleGuardsNow(VkCall& call) {
  ReportGuarded(call.tracker());
  const HostClock& host = call.tracker().ordering().host();
  std::vector<std::pair<uint64_t, Guarded>> complete;
  Guards& guards = g_guards.Get();
  guards.Find([&](uint64_t tag, Guarded& guarded) {
    if (guarded.state == kPending && host.Completed(guarded.use.epoch))
      complete.emplace_back(tag, guarded);
    return false;
  });
  for (auto& [tag, guarded] : complete) {
    uint32_t state = kPending;
    if (guarded.use.write && !guarded.coherent) {
      state = kUninvalidated;
    } else if (guarded.use.write && guarded.device == &call.device() &&
               !HostSees(*guarded.device, guarded.use)) {
      state = kNoBarrier;
    }
    if (state == kPending) {
      guards.Remove(tag);
    } else {
      guards.Find([&, wanted = tag](uint64_t known, Guarded& now) {
        if (known != wanted) return false;
        now.state = state;
        PageGuards::SetState(known, state);
        return true;
      });
    }
  }
}

void ReportGuardedNow(Tracker& tracker) {
  for (const auto& [access, guarded] : g_guards.Get().Take()) Report(tracker, access, guarded);
}

}  // namespace gpusan::vulkan
