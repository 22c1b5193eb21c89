// The option protect_maps for CUDA.
#include "hooks/cuda/streams/pinned_guards.h"

#include <cuda.h>

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "hooks/cuda/call/driver.h"
#include "hooks/host/page_guard.h"
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan::cuda {
namespace {

using Fault = rules::MappedUse::Fault;

constexpr CallInfo kHostRead = {"host-read", Api::kCuda};
constexpr CallInfo kHostWrite = {"host-write", Api::kCuda};

struct Guarded {
  WeakRef<Resource> memory;
  uintptr_t base = 0;  // of the memory
  uint64_t end = 0;    // of what the copy uses, from `base` [bytes]
  bool write = false;  // the copy writes the memory
  Epoch epoch;         // of the copy
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};

std::mutex g_lock;
std::map<uint64_t, Guarded> g_guarded;  // by tag
uint64_t g_last_tag = PageGuards::kCudaTags;

// Devices that use the page tables of the CPU would fault too.
bool DeviceUsesHostPages() {
  static const bool uses = [] {
    int value = 0;
    const auto attribute = GPUSAN_CU_REAL(cuDeviceGetAttribute);
    return attribute == nullptr ||
           (attribute(&value, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES,
                      0) == CUDA_SUCCESS &&
            value != 0);
  }();
  return uses;
}

void Guard(CuCall& call, const Command& command, Resource* memory, uint64_t offset, uint64_t bytes,
           bool write) {
  if (memory == nullptr || memory->kind != ObjectKind::kPinned || memory->root != memory ||
      memory->has(kUsesHostMemory) || bytes > memory->bytes || offset > memory->bytes - bytes ||
      !command.epoch.valid() || call.tracker().ordering().host().Completed(command.epoch) ||
      DeviceUsesHostPages())
    return;
  const uintptr_t base = memory->handle;
  std::lock_guard lock(g_lock);
  const uint64_t tag = ++g_last_tag;
  if (!PageGuards::Guard(base + offset, base + offset + bytes, write, tag)) return;
  g_guarded[tag] = {WeakRef<Resource>(memory),
                    base,
                    offset + bytes,
                    write,
                    command.epoch,
                    &call.info(),
                    call.site()};
}

void GuardSide(CuCall& call, const Command& command, const Side& side, bool write) {
  if (side.resource != nullptr && side.region.linear())
    Guard(call, command, side.resource, side.region.offset, side.region.bytes(), write);
}

void Report(Tracker& tracker, const GuardedAccess& access, const Guarded& guarded) {
  Resource* memory = guarded.memory.get();
  if (memory == nullptr) return;
  rules::MappedUse found;
  found.fault = access.write ? Fault::kWriteInFlight : Fault::kReadInFlight;
  found.memory = memory;
  found.offset = access.address - guarded.base;
  found.bytes = guarded.end - found.offset;
  found.device = guarded.call;
  found.device_site = guarded.site;
  found.device_writes = guarded.write;
  Call made(tracker, access.write ? kHostWrite : kHostRead, Words(), nullptr, nullptr, access.site);
  rules::OnMappedUse(found, made);
}

// Returns the accesses to guarded pages since the last time; their guards are gone.
std::vector<std::pair<GuardedAccess, Guarded>> TakeAccesses() {
  std::vector<std::pair<GuardedAccess, Guarded>> taken;
  if (!PageGuards::Noticed()) return taken;
  const std::vector<GuardedAccess> accesses = PageGuards::Take(PageGuards::kCudaTags);
  std::lock_guard lock(g_lock);
  for (const GuardedAccess& access : accesses) {
    const auto found = g_guarded.find(access.tag);
    if (found == g_guarded.end()) continue;
    taken.emplace_back(access, std::move(found->second));
    g_guarded.erase(found);
  }
  return taken;
}

}  // namespace

void GuardPinned(CuCall& call, const Command& command, const Transfer& transfer) {
  GuardSide(call, command, transfer.source, false);
  GuardSide(call, command, transfer.destination, true);
}

void GuardPinned(CuCall& call, const Command& command, const LinearTransfer& transfer) {
  Guard(call, command, transfer.source, transfer.source_offset, transfer.bytes, false);
  Guard(call, command, transfer.destination, transfer.destination_offset, transfer.bytes, true);
}

void SettlePinnedGuards(Tracker& tracker) {
  const HostClock& host = tracker.ordering().host();
  for (const auto& [access, guarded] : TakeAccesses()) {
    // A guard stays until the next call, also after a wait.
    if (!host.Completed(guarded.epoch)) Report(tracker, access, guarded);
  }
  std::lock_guard lock(g_lock);
  for (auto at = g_guarded.begin(); at != g_guarded.end();) {
    if (host.Completed(at->second.epoch)) {
      PageGuards::Remove(at->first);
      at = g_guarded.erase(at);
    } else {
      ++at;
    }
  }
}

void RemovePinnedGuards(uintptr_t address) {
  std::lock_guard lock(g_lock);
  std::erase_if(g_guarded, [&](const auto& entry) {
    if (entry.second.base != address) return false;
    PageGuards::Remove(entry.first);
    return true;
  });
}

void RemoveAllPinnedGuards() {
  std::lock_guard lock(g_lock);
  for (const auto& [tag, guarded] : g_guarded) PageGuards::Remove(tag);
  g_guarded.clear();
}

}  // namespace gpusan::cuda
