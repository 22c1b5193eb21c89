// Guard zones of CUDA memory: what the floors above call.
#pragma once

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// Whether memory gets guard zones (Hooks::guard_bytes).
inline bool GuardsOn() { return CurrentHooks().guard_bytes != 0; }

// Returns the function that replaces the driver's function `real` in the table of real functions.
// Returns `real` for functions without a guarded form.
void* GuardedFunction(Slot slot, void* real);

// Returns the driver's own function; nullptr: not resolved yet.
void* DriverFunctionAt(Slot slot);

// Returns the guarded form of a function that has no wrapper; nullptr: it has none.
void* GuardedQuery(Slot slot);

// Stores a description of the resource for findings about its guard zones. Call it for each new
// resource. Counts new allocations without guard zones.
void DescribeGuarded(const CuCall& call, const Resource& resource);

// Returns the number of allocations without guard zones.
uint64_t UnguardedCount();

}  // namespace gpusan::cuda
