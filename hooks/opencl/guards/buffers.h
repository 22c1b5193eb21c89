// Guarded buffers, and queries of the program about them.
#pragma once

#include "hooks/opencl/guards/checks.h"

namespace gpusan::opencl {

// Each does what clFoo of the driver on `path` does for the program.

cl_mem CreateGuardedBuffer(AttachPath path, cl_context context, cl_mem_flags flags, size_t size,
                           void* host_ptr, cl_int* code);
cl_mem CreateSubBufferOfGuarded(AttachPath path, cl_mem buffer, cl_mem_flags flags,
                                cl_buffer_create_type type, const void* info, cl_int* code);
cl_int GuardedMemObjectInfo(AttachPath path, cl_mem memory, cl_mem_info parameter, size_t size,
                            void* value, size_t* size_ret);

}  // namespace gpusan::opencl
