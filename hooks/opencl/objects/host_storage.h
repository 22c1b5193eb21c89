// Buffers whose memory is host memory of the program (CL_MEM_USE_HOST_PTR).
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl {

// Adds a finding if one command reads or writes `other` and writes `written`, and both are, or are
// parts of, different buffers that use overlapping host memory (OpenCL 3.0 §5.2.1, memory flags).
// Either may be nullptr. Thread-safe.
void CheckHostStorage(ClCall& call, const Resource* other, const Resource* written);

}  // namespace gpusan::opencl
