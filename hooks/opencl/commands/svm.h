// Handlers of shared virtual memory.
#pragma once

#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/commands/mappings.h"

namespace gpusan::opencl::handlers {

struct clSVMAlloc : InContext {
  AfterOf<cl_api_clSVMAlloc> After;
};

struct clSVMFree {
  BeforeOf<cl_api_clSVMFree> Before;
};

struct clEnqueueSVMFree : Enqueue {
  void Before(ClCall& call, cl_command_queue queue, cl_uint num_pointers, void** pointers,
              SvmFreeNotify& notify, void*& user_data, cl_uint count, const cl_event* list,
              cl_event* event);
  void After(ClCall& call, cl_int code);

 private:
  absl::InlinedVector<Resource*, 4> freed_;
  WrappedCallback<SvmFreeNotify> wrapped_;
};

struct clEnqueueSVMMemcpy : EnqueueTransfer {
  BeforeOf<cl_api_clEnqueueSVMMemcpy> Before;
};

struct clEnqueueSVMMemFill : EnqueueTransfer {
  BeforeOf<cl_api_clEnqueueSVMMemFill> Before;
};

struct clEnqueueSVMMap : EnqueueMap {
  BeforeOf<cl_api_clEnqueueSVMMap> Before;
  AfterOf<cl_api_clEnqueueSVMMap> After;
};

struct clEnqueueSVMUnmap : EnqueueUnmap {
  BeforeOf<cl_api_clEnqueueSVMUnmap> Before;
};

struct clEnqueueSVMMigrateMem : Enqueue {
  BeforeOf<cl_api_clEnqueueSVMMigrateMem> Before;
};

}  // namespace gpusan::opencl::handlers
