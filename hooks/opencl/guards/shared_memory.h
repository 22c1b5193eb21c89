// Guarded shared virtual memory.
#pragma once

#include "hooks/opencl/guards/checks.h"

namespace gpusan::opencl {

// Each does what clFoo of the driver on `path` does for the program.

void* AllocateGuardedSvm(AttachPath path, cl_context context, cl_svm_mem_flags flags, size_t size,
                         cl_uint alignment);
void FreeGuardedSvm(AttachPath path, cl_context context, void* pointer, const GuardCaller& caller);
cl_int EnqueueFreeGuardedSvm(AttachPath path, cl_command_queue queue, cl_uint count,
                             void* pointers[],
                             void(CL_CALLBACK* notify)(cl_command_queue, cl_uint, void*[], void*),
                             void* user_data, cl_uint events, const cl_event* list,
                             cl_event* event);

}  // namespace gpusan::opencl
