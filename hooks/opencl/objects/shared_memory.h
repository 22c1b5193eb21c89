// Checks of pointers that must point to shared virtual memory (OpenCL 3.0 §5.6.1).
#pragma once

#include <string>

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Returns whether `bytes` (0: the whole allocation) from `pointer` on are valid only in a shared
// allocation: no device of the context accepts any host pointer (fine-grained system SVM), or the
// pointer lies in a pool of the program, whose blocks are known, or in memory that clSVMFree has
// freed and that is surely not in use again. False if a query of the context fails. Queries the
// driver once per context. Thread-safe.
bool MustBeAllocated(ClCall& call, const Object* context, const void* pointer, uint64_t bytes);

// Returns why clSVMAlloc rejects its arguments, although there may be memory. Empty if the reason
// is not known, or if a query fails. Queries the driver. Thread-safe.
std::string SharedAllocationReason(ClCall& call, const Object* context, cl_svm_mem_flags flags,
                                   size_t size, cl_uint alignment);

// Returns the shared allocation that contains `pointer`, and the offset [bytes] in it, for a
// command that accesses `bytes` from there. nullptr if the allocation is not known, or not usable:
// then the call has a finding. `queue` may be nullptr: not known.
Resource* UseShared(ClCall& call, const Queue* queue, const void* pointer, uint64_t bytes,
                    const char* argument, uint64_t* offset);

// Adds a finding if `side` is shared memory of another context than the queue's. Other memory
// passes.
void CheckSharedContext(ClCall& call, const Queue* queue, const Side& side, const char* argument);

}  // namespace gpusan::opencl
