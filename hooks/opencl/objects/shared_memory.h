// Pointers that must name shared virtual memory.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Whether devices of the context may be handed any host pointer (fine-grained system SVM). Also
// true where nobody can tell. Asks the driver once a context.
bool SharesAllHostMemory(ClCall& call, const Object* context);

// The shared allocation behind `pointer` and the offset in it, for a command that needs `bytes`
// from there. nullptr if it is not known (then nothing is judged) or not usable (then the finding
// has been added). `queue` may be nullptr: not known.
Resource* UseShared(ClCall& call, const Queue* queue, const void* pointer, uint64_t bytes,
                    const char* argument, uint64_t* offset);

// For a side that may be shared memory or any other: shared memory is of the queue's context.
void CheckSharedContext(ClCall& call, const Queue* queue, const Side& side, const char* argument);

}  // namespace gpusan::opencl
