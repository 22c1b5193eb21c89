// Pending transfers of host memory whose rights or content the program takes away.
#include "tracker/host/lost_memory.h"

#include <algorithm>

#include "tracker/base/process_maps.h"
#include "tracker/memory/fault_handlers.h"

namespace gpusan {
namespace {

// Returns whether the loss changes the mapping. MADV_DONTNEED restores the bytes of a file, and
// leaves shared memory unchanged.
bool Matters(const ProcessMapping& mapping, HostLoss loss) {
  switch (loss) {
    case HostLoss::kRightToWrite:
      return mapping.writable;
    case HostLoss::kAllRights:
      return mapping.readable || mapping.writable;
    case HostLoss::kContent:
      break;
  }
  return mapping.name.empty() || mapping.name == "[heap]" || mapping.name.starts_with("[anon:");
}

}  // namespace

bool FindLostMemory(HostSide& side, const HostClock& host, const HostBlock& range, HostLoss loss,
                    Access* pending) {
  if (!side.shadow().busy() ||
      !side.shadow().FindPending(Region::Linear(range.begin, range.bytes), host, pending,
                                 loss == HostLoss::kRightToWrite))
    return false;
  if (loss != HostLoss::kContent && MayRepeatAccesses()) return false;
  const uintptr_t begin = std::max<uintptr_t>(range.begin, pending->region.offset);
  const uintptr_t end = std::min<uintptr_t>(range.end(), pending->region.end());
  bool found = false;
  VisitMappings([&](const ProcessMapping& mapping) {
    found = mapping.begin < end && begin < mapping.end && Matters(mapping, loss);
    return !found && mapping.end < end;
  });
  return found;
}

}  // namespace gpusan
