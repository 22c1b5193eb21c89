// The option protect_maps for CUDA.
#include "hooks/cuda/streams/pinned_guards.h"

#include <cuda.h>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/driver.h"
#include "hooks/host/guard_table.h"
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

struct Guards : GuardTable<Guarded> {
  Guards() : GuardTable(PageGuards::kCudaTags) {}
};
constinit ProcessState<Guards> g_guards;
const ForkReset g_reset([] { g_guards.Forget(); });

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
  const SiteId site = call.site();  // the capture may take the loader's lock
  g_guards.Get().Add(
      base + offset, base + offset + bytes, write,
      {WeakRef<Resource>(memory), base, offset + bytes, write, command.epoch, &call.info(), site});
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

// From page-locked to page-locked memory, which the CPU copies before the call returns (CUDA
// api-sync-behavior).
bool StaysOnHost(const Resource* source, const Resource* destination) {
  return source != nullptr && destination != nullptr && source->kind == ObjectKind::kPinned &&
         destination->kind == ObjectKind::kPinned;
}

}  // namespace

void GuardPinned(CuCall& call, const Command& command, const Transfer& transfer) {
  if (StaysOnHost(transfer.source.resource, transfer.destination.resource)) return;
  GuardSide(call, command, transfer.source, false);
  GuardSide(call, command, transfer.destination, true);
}

void GuardPinned(CuCall& call, const Command& command, const LinearTransfer& transfer) {
  if (StaysOnHost(transfer.source, transfer.destination)) return;
  Guard(call, command, transfer.source, transfer.source_offset, transfer.bytes, false);
  Guard(call, command, transfer.destination, transfer.destination_offset, transfer.bytes, true);
}

void SettlePinnedGuards(Tracker& tracker) {
  const HostClock& host = tracker.ordering().host();
  for (const auto& [access, guarded] : g_guards.Get().Take()) {
    // A guard stays until the next call, also after a wait.
    if (!host.Completed(guarded.epoch)) Report(tracker, access, guarded);
  }
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return host.Completed(guarded.epoch); });
}

void RemovePinnedGuards(uintptr_t address) {
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return guarded.base == address; });
}

void RemoveAllPinnedGuards() {
  g_guards.Get().RemoveIf([](const Guarded&) { return true; });
}

}  // namespace gpusan::cuda
