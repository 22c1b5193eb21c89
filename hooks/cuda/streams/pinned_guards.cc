// The option protect_maps for CUDA.
#include "hooks/cuda/streams/pinned_guards.h"

#include <cuda.h>

#include <algorithm>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/driver.h"
#include "hooks/host/guard_table.h"
#include "tracker/order/host_order.h"
#include "tracker/rules/rules.h"
#include "tracker/state/accesses.h"
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

// Returns the attribute of a device; `missing` if the driver does not report it.
int Attribute(CUdevice_attribute attribute, CUdevice device, int missing) {
  int value = 0;
  const auto query = GPUSAN_CU_REAL(cuDeviceGetAttribute);
  return query != nullptr && query(&value, attribute, device) == CUDA_SUCCESS ? value : missing;
}

// Devices that use the page tables of the CPU would fault too.
bool DeviceUsesHostPages() {
  static const bool uses =
      GPUSAN_CU_REAL(cuDeviceGetAttribute) == nullptr ||
      Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0, 0) != 0;
  return uses;
}

// Whether all GPUs reach pages of managed memory that the process must not access. GPUs that the
// CPU must not disturb have rules of their own. Measured with drivers of CUDA 13.0 on.
bool ManagedMayBeProtected() {
  static const bool may = [] {
    constexpr int kMeasured = 13000;
    int version = 0, count = 0;
    const auto get_version = GPUSAN_CU_REAL(cuDriverGetVersion);
    const auto get_count = GPUSAN_CU_REAL(cuDeviceGetCount);
    if (get_version == nullptr || get_version(&version) != CUDA_SUCCESS || version < kMeasured ||
        get_count == nullptr || get_count(&count) != CUDA_SUCCESS)
      return false;
    for (int device = 0; device < count; ++device) {
      if (Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, device, 0) == 0) return false;
    }
    return true;
  }();
  return may;
}

constexpr uintptr_t kPage = 4096;

constexpr uintptr_t RoundUp(uintptr_t value, uintptr_t to) { return (value + to - 1) / to * to; }

// Returns whether gpusan knows other memory in the last page of the memory.
bool SharesLastPage(const Tracker& tracker, const Resource& memory) {
  constexpr uintptr_t kSmallest = 256;  // allocations begin at multiples of kSmallest
  const uintptr_t end = memory.handle + memory.bytes;
  const uintptr_t end_of_page = RoundUp(end, kPage);
  for (uintptr_t next = RoundUp(end, kSmallest); next < end_of_page; next += kSmallest) {
    uint64_t offset = 0;
    if (tracker.objects().FindAddress(next, &offset) != nullptr) return true;
  }
  return false;
}

// Guards [begin, end) of managed memory, which may share its first and its last page with other
// memory. Guards a part of such a page only up to the limits of the memory: functions such as
// memchr read whole vectors, also bytes next to those that the program uses.
void GuardManaged(CuCall& call, const Resource& memory, uintptr_t begin, uintptr_t end,
                  const Guarded& guarded) {
  // Variables of a module may follow each other without a gap.
  const bool at_begin = begin == memory.handle && !memory.owned;
  const bool at_end = end == memory.handle + memory.bytes;
  const bool alone = at_end && !SharesLastPage(call.tracker(), memory);
  const uintptr_t first = RoundUp(begin, kPage);
  const uintptr_t last = alone ? RoundUp(end, kPage) : end / kPage * kPage;
  const bool part_at_end = at_end && !memory.owned;
  const auto add = [&](uintptr_t from, uintptr_t to, bool part) {
    if (from < to) g_guards.Get().Add(from, to, guarded.write, guarded, part);
  };
  if (end <= first) {
    if (at_begin && part_at_end) add(begin, end, true);
    return;
  }
  if (at_begin) add(begin, first, true);
  add(first, last, false);
  if (part_at_end) add(last, end, true);
}

void Guard(CuCall& call, const Command& command, Resource* memory, uint64_t offset, uint64_t bytes,
           bool write) {
  if (memory == nullptr || memory->root != memory || bytes > memory->bytes ||
      offset > memory->bytes - bytes || !command.epoch.valid() ||
      !call.tracker().ordering().IsBesideHost(command.epoch, command.gates, Api::kCuda))
    return;
  const bool managed = memory->kind == ObjectKind::kManaged;
  if (managed ? memory->adopted || !ManagedMayBeProtected()
              : memory->kind != ObjectKind::kPinned || memory->has(kUsesHostMemory) ||
                    DeviceUsesHostPages())
    return;
  const uintptr_t base = memory->handle, begin = base + offset, end = begin + bytes;
  const SiteId site = call.site();  // the capture may take the loader's lock
  const Guarded guarded = {
      WeakRef<Resource>(memory), base, offset + bytes, write, command.epoch, &call.info(), site};
  if (managed) {
    GuardManaged(call, *memory, begin, end, guarded);
  } else {
    g_guards.Get().Add(begin, end, write, guarded);
  }
}

void GuardSide(CuCall& call, const Command& command, const Side& side, bool write) {
  if (side.resource != nullptr && side.region.linear())
    Guard(call, command, side.resource, side.region.offset, side.region.bytes(), write);
}

void Report(Tracker& tracker, const GuardedAccess& access, const Guarded& guarded) {
  Resource* memory = guarded.memory.get();
  // The last page may have bytes behind the memory.
  if (memory == nullptr || access.address >= guarded.base + guarded.end) return;
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

void GuardPinned(CuCall& call, const Command& command, const Launch& launch) {
  for (const LaunchArgument& argument : launch.arguments) {
    if (argument.resource == nullptr || argument.resource->kind != ObjectKind::kManaged ||
        argument.direction == Direction::kNone)
      continue;
    const Access access = AccessOf(launch, argument);
    if (IsSure(access.sureness) && access.region.linear())
      Guard(call, command, argument.resource, access.region.offset, access.region.bytes(),
            access.write);
  }
}

void SettlePinnedGuards(Tracker& tracker) {
  const Ordering& ordering = tracker.ordering();
  const HostClock& host = ordering.host();
  const auto taken = g_guards.Get().Take();
  for (auto one = taken.begin(); one != taken.end(); ++one) {
    const auto& access = one->first;
    const Guarded& guarded = one->second;
    // The memory of one command may have several guards.
    const bool again = std::any_of(taken.begin(), one, [&](const auto& earlier) {
      return earlier.first.site == access.site && earlier.first.write == access.write &&
             earlier.second.base == guarded.base && earlier.second.epoch == guarded.epoch;
    });
    // A guard stays until the next call, also after a wait. The program may have read a flag that a
    // later command wrote.
    if (!again && ordering.IsBesideHost(guarded.epoch, 0, Api::kCuda))
      Report(tracker, access, guarded);
  }
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return host.Completed(guarded.epoch); });
  PageGuards::Resume();
}

void RemovePinnedGuards(uintptr_t address) {
  g_guards.Get().RemoveIf([&](const Guarded& guarded) { return guarded.base == address; });
}

void RemovePinnedGuardsIn(uintptr_t address, uint64_t bytes) {
  PageGuards::RemoveIn(address, address + bytes);
}

void RemoveAllPinnedGuards() {
  g_guards.Get().RemoveIf([](const Guarded&) { return true; });
}

}  // namespace gpusan::cuda
