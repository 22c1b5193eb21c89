// Handlers of commands that only order others: markers, barriers, waits of a queue for events.
#pragma once

#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl::handlers {

struct clEnqueueMarker : Enqueue {
  BeforeOf<cl_api_clEnqueueMarker> Before;
};

struct clEnqueueMarkerWithWaitList : Enqueue {
  BeforeOf<cl_api_clEnqueueMarkerWithWaitList> Before;
};

struct clEnqueueBarrier : Enqueue {
  BeforeOf<cl_api_clEnqueueBarrier> Before;
};

struct clEnqueueBarrierWithWaitList : Enqueue {
  BeforeOf<cl_api_clEnqueueBarrierWithWaitList> Before;
};

struct clEnqueueWaitForEvents : Enqueue {
  BeforeOf<cl_api_clEnqueueWaitForEvents> Before;
};

}  // namespace gpusan::opencl::handlers
