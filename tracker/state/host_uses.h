// Accesses of the host itself to memory that pending commands use.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/host/host_side.h"
#include "tracker/order/access.h"
#include "tracker/rules/rules.h"
#include "tracker/state/objects.h"
#include "tracker/state/ordering.h"

namespace gpusan {

// Finds a pending command that conflicts with an access of the host to `bytes` from `address` on,
// and copies its access to `*pending`. Ignores commands that may have informed the host of their
// completion, and commands that may wait for the program, because the host may access the memory
// before it signals (host_order.h). Returns false if there is no such command. Thread-safe.
bool FindConflictWithHost(HostSide& host_side, Ordering& ordering, uintptr_t address,
                          uint64_t bytes, bool write, Access* pending);

// Reports that `call`, which the host executes itself, accesses memory that `pending` uses.
void ReportHostUse(Call& call, const Access& pending, uintptr_t address, uint64_t bytes,
                   bool write);

// True once the program has page-locked or managed memory of CUDA. Never reset.
inline constinit std::atomic<bool> any_pinned_memory{false};

// Whether `address` is in page-locked or managed memory. Thread-safe.
bool IsPinned(const Objects& objects, uintptr_t address);

// Returns whether a pending command conflicts with an access of the host to `bytes` from `address`
// on, in coarse-grained shared memory of OpenCL that is not mapped, or in page-locked or managed
// memory of CUDA. For the latter, finds only commands that surely access these bytes. Sets the
// members of `*use`, except for `certain`. Ignores the same commands as FindConflictWithHost.
// Thread-safe.
bool FindConflictWithShared(const Objects& objects, Ordering& ordering, uintptr_t address,
                            uint64_t bytes, bool write, rules::MappedUse* use);

// As FindConflictWithShared, for the host memory that a buffer uses as its storage. Finds only
// commands that surely access these bytes. Ignores unmaps, because an unmap need not change them.
bool FindConflictWithStorage(HostSide& host_side, Ordering& ordering, uintptr_t address,
                             uint64_t bytes, bool write, rules::MappedUse* use);

}  // namespace gpusan
