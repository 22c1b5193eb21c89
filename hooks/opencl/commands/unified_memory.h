// Handlers of cl_intel_unified_shared_memory. The tracker treats host, device and shared
// allocations as shared virtual memory.
#pragma once

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_intel_unified_shared_memory
namespace gpusan::opencl::handlers {

// The base of the handlers that allocate.
class UnifiedAllocationHandler {
 public:
  void After(ClCall& call, void* memory);

 protected:
  // `host_visible`: the host can access the memory at any time, without a call.
  void Begin(ClCall& call, cl_context context, size_t size, bool host_visible);

 private:
  Object* context_ = nullptr;
  size_t size_ = 0;
  bool host_visible_ = false;
};

struct clHostMemAllocINTEL : UnifiedAllocationHandler {
  BeforeOf<clHostMemAllocINTEL_fn> Before;
};

struct clDeviceMemAllocINTEL : UnifiedAllocationHandler {
  BeforeOf<clDeviceMemAllocINTEL_fn> Before;
};

struct clSharedMemAllocINTEL : UnifiedAllocationHandler {
  BeforeOf<clSharedMemAllocINTEL_fn> Before;
};

// The base of the handlers that free.
class UnifiedFreeHandler {
 public:
  void After(ClCall& call, cl_int code);

 protected:
  // `waits`: every command that may use the allocation is complete when the call returns.
  void Begin(ClCall& call, cl_context context, void* pointer, bool waits);

 private:
  Resource* resource_ = nullptr;
};

struct clMemFreeINTEL : UnifiedFreeHandler {
  BeforeOf<clMemFreeINTEL_fn> Before;
};

struct clMemBlockingFreeINTEL : UnifiedFreeHandler {
  BeforeOf<clMemBlockingFreeINTEL_fn> Before;
};

struct clEnqueueMemsetINTEL : EnqueueTransfer {
  BeforeOf<clEnqueueMemsetINTEL_fn> Before;
};

struct clEnqueueMigrateMemINTEL : Enqueue {
  BeforeOf<clEnqueueMigrateMemINTEL_fn> Before;
};

struct clEnqueueMemAdviseINTEL : Enqueue {
  BeforeOf<clEnqueueMemAdviseINTEL_fn> Before;
};

}  // namespace gpusan::opencl::handlers
#endif
