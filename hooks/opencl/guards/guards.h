// Guard zones of OpenCL memory: what the floors above call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Whether memory gets guard zones (Hooks::guard_bytes).
inline bool GuardsOn() { return CurrentHooks().guard_bytes != 0; }

// Returns the function that takes the place of the driver's function at `offset` [bytes] of the
// table of `path`: `real` itself for all functions without a guarded form.
void* GuardedFunction(AttachPath path, size_t offset, void* real);

// Returns the driver's function behind a guarded one; `function` itself if it is none.
void* FunctionBehindGuard(AttachPath path, size_t offset, void* function);

// Stores a description of the resource for findings about its guard zones. Call it for each new
// buffer and shared allocation. Counts those without guard zones.
void DescribeGuarded(const Resource& resource);
// Returns whether the buffer is part of a larger one that has its guard zones.
bool HasGuardZones(cl_mem buffer);

// Returns the number of buffers and shared allocations without guard zones.
uint64_t UnguardedCount();

}  // namespace gpusan::opencl
