// Handlers of commands on semaphores (cl_khr_semaphore): a signal publishes the order of its queue,
// a wait joins it.
#pragma once

#include "hooks/opencl/commands/enqueue.h"
#include "hooks/opencl/words/extension_types.h"

#ifdef cl_khr_semaphore
namespace gpusan::opencl::handlers {

struct clEnqueueSignalSemaphoresKHR : Enqueue {
  BeforeOf<clEnqueueSignalSemaphoresKHR_fn> Before;
};

struct clEnqueueWaitSemaphoresKHR : Enqueue {
  BeforeOf<clEnqueueWaitSemaphoresKHR_fn> Before;
};

}  // namespace gpusan::opencl::handlers
#endif
