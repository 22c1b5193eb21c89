// Accesses of the host itself to memory that pending commands use.
#include "tracker/state/host_uses.h"

#include <algorithm>
#include <mutex>

namespace gpusan {

bool FindConflictWithHost(HostSide& host_side, Ordering& ordering, uintptr_t address,
                          uint64_t bytes, bool write, Access* pending) {
  if (!host_side.shadow().busy() || bytes == 0) return false;
  const bool found = host_side.shadow().FindPending(Region::Linear(address, bytes), ordering.host(),
                                                    pending, !write);
  return found && pending->gates == 0 && !ordering.MayHaveSignaled(pending->epoch);
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

bool FindConflictWithShared(const Objects& objects, Ordering& ordering, uintptr_t address,
                            uint64_t bytes, bool write, rules::MappedUse* use) {
  if (objects.addresses().unused() || bytes == 0) return false;
  uint64_t offset = 0;
  const Resource* memory = objects.FindAddress(address, &offset);
  if (memory == nullptr || memory->kind != ObjectKind::kSvm || memory->api != Api::kOpenCL ||
      memory->root != memory || memory->has(kHostVisible))
    return false;
  const uint64_t accessed = std::min(bytes, memory->bytes - offset);
  std::lock_guard lock(memory->lock);
  const ResourceExtra* more = memory->more();
  if (more != nullptr && !more->mappings.empty()) return false;
  const Access* pending =
      memory->history.FindPending(Region::Linear(offset, accessed), !write, ordering.host());
  if (pending == nullptr || pending->gates != 0 || ordering.MayHaveSignaled(pending->epoch))
    return false;
  use->fault =
      write ? rules::MappedUse::Fault::kWriteInFlight : rules::MappedUse::Fault::kReadInFlight;
  use->memory = memory;
  use->offset = offset;
  use->bytes = accessed;
  use->device = pending->call;
  use->device_site = pending->site;
  use->device_writes = pending->write;
  return true;
}

}  // namespace gpusan
