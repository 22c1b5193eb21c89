// Accesses of the host itself to memory that pending commands use.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/order/access.h"
#include "tracker/rules/rules.h"
#include "tracker/state/host_side.h"
#include "tracker/state/objects.h"
#include "tracker/state/ordering.h"

namespace gpusan {

// Finds a pending command that conflicts with an access of the host to `bytes` from `address` on,
// and copies its access to `*pending`. Ignores commands that may have informed the host of their
// completion, and commands that wait for a signal of the program, because the host may access the
// memory before it signals. Returns false if there is no such command. Thread-safe.
bool FindConflictWithHost(HostSide& host_side, Ordering& ordering, uintptr_t address,
                          uint64_t bytes, bool write, Access* pending);

// Reports that `call`, which the host executes itself, accesses memory that `pending` uses.
void ReportHostUse(Call& call, const Access& pending, uintptr_t address, uint64_t bytes,
                   bool write);

// Returns whether a pending command conflicts with an access of the host to `bytes` from `address`
// on, in coarse-grained shared memory of OpenCL that is not mapped. Sets the members of `*use`,
// except for `certain`. Ignores the same commands as FindConflictWithHost. Thread-safe.
bool FindConflictWithShared(const Objects& objects, Ordering& ordering, uintptr_t address,
                            uint64_t bytes, bool write, rules::MappedUse* use);

// As FindConflictWithShared, for the host memory that a buffer uses as its storage. Finds only
// commands that surely access these bytes. Ignores unmaps, because an unmap need not change them.
bool FindConflictWithStorage(HostSide& host_side, Ordering& ordering, uintptr_t address,
                             uint64_t bytes, bool write, rules::MappedUse* use);

}  // namespace gpusan
