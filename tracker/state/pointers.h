// Checks of the pointers that a call passes, against the memory that has addresses.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/calls/operation.h"
#include "tracker/host/host_side.h"
#include "tracker/state/objects.h"

namespace gpusan {

namespace rules {
struct KernelPointer;
}

// Has no data of its own. Thread-safe. Holds no lock while it runs rules.
class Pointers {
 public:
  Pointers(Objects& objects, HostSide& host_side) : objects_(objects), host_side_(host_side) {}
  Pointers(const Pointers&) = delete;
  Pointers& operator=(const Pointers&) = delete;

  // Returns the allocation that begins at the address, for a call that frees it. Adds findings for
  // pointers that the call may not free. The call may free resources of `kinds` whose flags, masked
  // with `of_flags`, equal `flags`.
  Resource* UseForFree(Call& call, uintptr_t address, const char* argument,
                       KindMask kinds = ~KindMask{0}, uint16_t of_flags = 0, uint16_t flags = 0);
  // Checks a pointer that must be a device pointer and is in no live allocation. Adds a finding if
  // it points to freed memory or host memory, or if nothing is known about it.
  void CheckDevicePointer(Call& call, uintptr_t address, uint64_t bytes, const char* argument);
  // As CheckDevicePointer, but reports only freed memory.
  void CheckFreedPointer(Call& call, uintptr_t address, const char* argument);
  // Returns true if the last allocation that contained the address was freed in stream order.
  bool FreedInOrder(uintptr_t address);
  // Checks a pointer argument of a launch that is in no live allocation. `pointer.fault` is the
  // kind of fault.
  void CheckKernelPointer(Call& call, const rules::KernelPointer& pointer);
  // Checks a range of addresses that must lie inside one live shared allocation.
  void CheckSharedPointer(Call& call, uintptr_t address, uint64_t bytes, const char* argument);
  // Checks host memory of a transfer that lies in no known block: adds a finding if the program has
  // freed the block.
  void CheckReleasedBlock(Call& call, const Side& side, const char* argument);

 private:
  Objects& objects_;
  HostSide& host_side_;
};

}  // namespace gpusan
