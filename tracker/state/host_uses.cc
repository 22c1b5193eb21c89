// Accesses of the host itself to memory that pending commands use.
#include "tracker/state/host_uses.h"

#include <algorithm>
#include <mutex>

#include "tracker/order/host_order.h"

namespace gpusan {

bool FindConflictWithHost(HostSide& host_side, Ordering& ordering, uintptr_t address,
                          uint64_t bytes, bool write, Access* pending) {
  if (!host_side.shadow().busy() || bytes == 0) return false;
  const bool found = host_side.shadow().FindPending(Region::Linear(address, bytes), ordering.host(),
                                                    pending, !write);
  return found && pending->sureness != Sureness::kHeld &&
         ordering.IsBesideHost(pending->epoch, pending->gates, pending->call->api);
}

void ReportHostUse(Call& call, const Access& pending, uintptr_t address, uint64_t bytes,
                   bool write) {
  Access later;
  later.region = Region::Linear(address, bytes);
  later.read = !write;
  later.write = write;
  later.call = &call.info();
  later.site = call.site();
  Conflict conflict{nullptr, &pending, &later};
  conflict.immediate = true;
  rules::OnConflict(conflict, call);
}

namespace {

void Describe(const Resource& memory, const Access& pending, uint64_t offset, uint64_t bytes,
              bool write, rules::MappedUse* use) {
  use->fault =
      write ? rules::MappedUse::Fault::kWriteInFlight : rules::MappedUse::Fault::kReadInFlight;
  use->memory = &memory;
  use->offset = offset;
  use->bytes = bytes;
  use->device = pending.call;
  use->device_site = pending.site;
  use->device_writes = pending.write;
}

// Returns the pending access of a command to memory of which nothing is mapped; nullptr: there is
// none, or the command and the host may be ordered. Requires the lock of the memory.
const Access* FindUnmapped(const Resource& memory, Ordering& ordering, const Region& region,
                           bool write) {
  const ResourceExtra* more = memory.more();
  if (more != nullptr && !more->mappings.empty()) return nullptr;
  const Access* pending = memory.history.FindPending(region, !write, ordering.host());
  return pending != nullptr && ordering.IsBesideHost(pending->epoch, pending->gates, memory.api)
             ? pending
             : nullptr;
}

// Memory that the host and commands access by the same addresses, and whose accesses are tracked.
bool IsOfHostAndDevice(const Resource& memory) {
  constexpr KindMask kPinned = AnyOf(ObjectKind::kPinned, ObjectKind::kManaged);
  return (MaskOf(memory.kind) & kPinned) != 0 && !memory.adopted && !memory.has(kImported);
}

}  // namespace

bool IsPinned(const Objects& objects, uintptr_t address) {
  uint64_t offset = 0;
  const Resource* memory = objects.FindAddress(address, &offset);
  return memory != nullptr && IsOfHostAndDevice(*memory);
}

bool FindConflictWithShared(const Objects& objects, Ordering& ordering, uintptr_t address,
                            uint64_t bytes, bool write, rules::MappedUse* use) {
  if (objects.addresses().unused() || bytes == 0) return false;
  uint64_t offset = 0;
  const Resource* memory = objects.FindAddress(address, &offset);
  if (memory == nullptr || memory->root != memory || memory->has(kHostVisible)) return false;
  const bool pinned = IsOfHostAndDevice(*memory);
  if (!pinned && (memory->kind != ObjectKind::kSvm || memory->api != Api::kOpenCL)) return false;
  const uint64_t accessed = std::min(bytes, memory->bytes - offset);
  std::lock_guard lock(memory->lock);
  const Access* pending = FindUnmapped(*memory, ordering, Region::Linear(offset, accessed), write);
  if (pending == nullptr || (pinned && (!IsSure(pending->sureness) || IsLifetime(pending->role))))
    return false;
  Describe(*memory, *pending, offset, accessed, write, use);
  return true;
}

bool FindConflictWithStorage(HostSide& host_side, Ordering& ordering, uintptr_t address,
                             uint64_t bytes, bool write, rules::MappedUse* use) {
  uint64_t offset = 0;
  const Resource* memory = host_side.FindStorage(address, bytes, &offset);
  if (memory == nullptr || memory->root != memory) return false;
  std::lock_guard lock(memory->lock);
  const Access* pending = FindUnmapped(*memory, ordering, Region::Linear(offset, bytes), write);
  if (pending == nullptr || !IsSure(pending->sureness) || pending->role == AccessRole::kUnmap)
    return false;
  Describe(*memory, *pending, offset, bytes, write, use);
  return true;
}

}  // namespace gpusan
