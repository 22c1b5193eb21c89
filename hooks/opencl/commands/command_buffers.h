// Handlers of command buffers (cl_khr_command_buffer): their lifetime and their enqueue, which the
// tracker orders as one command.
#pragma once

#include "hooks/opencl/commands/pending_command_buffers.h"
#include "hooks/opencl/objects/queries.h"
#include "hooks/opencl/objects/references.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl::handlers {

// The base of the handlers that create a command buffer.
class CommandBufferHandler {
 public:
  void After(ClCall& call, cl_command_buffer_khr handle);

 protected:
  Object* context_ = nullptr;
  CommandBufferPtr buffer_;
};

struct clCreateCommandBufferKHR : CommandBufferHandler {
  BeforeOf<clCreateCommandBufferKHR_fn> Before;
};

struct clRemapCommandBufferKHR : CommandBufferHandler {
  BeforeOf<clRemapCommandBufferKHR_fn> Before;
};

struct clRetainCommandBufferKHR : RetainHandler {
  BeforeOf<clRetainCommandBufferKHR_fn> Before;
};

struct clReleaseCommandBufferKHR : ReleaseHandler {
  BeforeOf<clReleaseCommandBufferKHR_fn> Before;
};

struct clGetCommandBufferInfoKHR : QueryHandler {
  BeforeOf<clGetCommandBufferInfoKHR_fn> Before;
};

struct clFinalizeCommandBufferKHR {
  BeforeOf<clFinalizeCommandBufferKHR_fn> Before;
  void After(ClCall& call, cl_int code);

 private:
  Target target_;
};

#ifdef cl_khr_command_buffer_mutable_dispatch
// gpusan does not track which arguments are replaced: after this call, the launches of the buffer
// may access any resource.
struct clUpdateMutableCommandsKHR {
  BeforeOf<clUpdateMutableCommandsKHR_090> Before;
  BeforeOf<clUpdateMutableCommandsKHR_092> Before;
  void After(ClCall& call, cl_int code);

 private:
  Target target_;
};
#endif

struct clEnqueueCommandBufferKHR : Enqueue {
  BeforeOf<clEnqueueCommandBufferKHR_fn> Before;
  void After(ClCall& call, cl_int code);

 private:
  Target target_;
  CommandBuffer recorded_;  // a copy: the driver is not called under the lock
};

}  // namespace gpusan::opencl::handlers
#endif
