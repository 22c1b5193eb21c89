// Guard zones of OpenCL memory: what the floors above call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Whether memory gets guard zones (Hooks::guard_bytes).
inline bool GuardsOn() { return CurrentHooks().guard_bytes != 0; }

// Returns the function that replaces the driver's function at `offset` [bytes] of the dispatch
// table of `path`. Returns `real` for functions without a guarded form.
void* GuardedFunction(AttachPath path, size_t offset, void* real);

// Returns the driver's function that the guarded function `function` replaces. Returns `function`
// if it is not a guarded function.
void* FunctionBehindGuard(AttachPath path, size_t offset, void* function);

// Call it for each new buffer and shared allocation. Stores a description of the resource for
// findings about its guard zones, or counts the resource if it has none (UnguardedCount).
void DescribeGuarded(const Resource& resource);
// Returns whether the buffer has guard zones, which lie in a larger buffer of gpusan.
bool HasGuardZones(cl_mem buffer);

// Returns the number of buffers and shared allocations without guard zones.
uint64_t UnguardedCount();

}  // namespace gpusan::opencl
