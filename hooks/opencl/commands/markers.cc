// Handlers of commands that only order others: markers, barriers, waits of a queue for events.
#include "hooks/opencl/commands/markers.h"

namespace gpusan::opencl::handlers {

void clEnqueueMarker::Before(ClCall& call, cl_command_queue queue, cl_event* event) {
  Open(call, queue, 0, nullptr, event);
  Begin(call, true);
}

void clEnqueueMarkerWithWaitList::Before(ClCall& call, cl_command_queue queue, cl_uint count,
                                         const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  Begin(call, count == 0);
}

void clEnqueueBarrier::Before(ClCall& call, cl_command_queue queue) {
  Open(call, queue, 0, nullptr, nullptr);
  Begin(call, true, true);
}

void clEnqueueBarrierWithWaitList::Before(ClCall& call, cl_command_queue queue, cl_uint count,
                                          const cl_event* list, cl_event* event) {
  Open(call, queue, count, list, event);
  Begin(call, count == 0, true);
}

void clEnqueueWaitForEvents::Before(ClCall& call, cl_command_queue queue, cl_uint count,
                                    const cl_event* list) {
  Open(call, queue, count, list, nullptr);
  Begin(call, false, true);
}

}  // namespace gpusan::opencl::handlers
