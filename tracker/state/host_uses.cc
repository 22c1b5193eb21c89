// Accesses of the host itself to memory that pending commands use.
#include "tracker/state/host_uses.h"

#include "tracker/rules/rules.h"

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

}  // namespace gpusan
