// Handlers that launch kernels.
#pragma once

#include <optional>

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/kernels/kernel_uses.h"
#include "hooks/opencl/kernels/launch.h"

namespace gpusan::opencl::handlers {

// A launch that is being enqueued, with the list of its arguments.
struct DescribedLaunch {
  Enqueue enqueue;
  Kernel* kernel = nullptr;  // nullptr: gpusan did not intercept its creation
  Launch launch;
  LaunchArguments arguments;
};

// The base of the handlers that launch a kernel. Most launches have work-items, no wait list, and
// only live objects of one context. Such launches need no list of arguments.
class LaunchHandler {
 public:
  void After(ClCall& call, cl_int code);

 protected:
  // The parameters are those of clEnqueueNDRangeKernel.
  void Begin(ClCall& call, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
             const size_t* global_offset, const size_t* global_size, const size_t* local_size,
             cl_uint count, const cl_event* list, cl_event* event);

 private:
  // The rest of Begin for launches that need the list of arguments.
  [[gnu::noinline]] void BeginDescribed(ClCall& call, cl_command_queue queue, cl_kernel kernel,
                                        const size_t* global_offset, cl_uint count,
                                        const cl_event* list, cl_event* event);
  // Does the rest of BeginDescribed and returns true if the launch repeats an earlier launch whose
  // accesses are kept. Otherwise returns false without side effects.
  bool TryRepeat(ClCall& call, const LaunchShape& shape);
  [[gnu::noinline]] void EndDescribed(ClCall& call, cl_int code);

  UseOfKernel use_;
  PlainLaunch plain_;
  cl_uint dimensions_ = 0;
  const size_t* global_size_ = nullptr;
  const size_t* local_size_ = nullptr;
  cl_event* event_ = nullptr;
  std::optional<DescribedLaunch> described_;  // if it has a value, plain_ is unused
};

struct clEnqueueNDRangeKernel : LaunchHandler {
  BeforeOf<cl_api_clEnqueueNDRangeKernel> Before;
};

struct clEnqueueTask : LaunchHandler {
  BeforeOf<cl_api_clEnqueueTask> Before;
};

// The accesses of the native function are unknown. The objects must stay alive until it has run.
struct clEnqueueNativeKernel : Enqueue {
  void Before(ClCall& call, cl_command_queue queue, void(CL_CALLBACK* function)(void*), void* args,
              size_t args_size, cl_uint num_objects, const cl_mem* objects, const void** locations,
              cl_uint count, const cl_event* list, cl_event* event);
  void After(ClCall& call, cl_int code);

 private:
  LaunchArguments arguments_;
  Launch launch_;
};

}  // namespace gpusan::opencl::handlers
