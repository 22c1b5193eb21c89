// Buffers whose memory is host memory of the program (CL_MEM_USE_HOST_PTR).
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Checks two buffers of one command, which writes `written` and reads or writes `other`. Adds a
// finding if they belong to different buffers with overlapping host memory (OpenCL 3.0 §5.2.1,
// memory flags). Each of the two may be a sub-buffer, or nullptr. Thread-safe.
void CheckHostStorage(ClCall& call, const Resource* other, const Resource* written);

}  // namespace gpusan::opencl
