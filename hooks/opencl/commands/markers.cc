// Handlers of commands that only order others: markers, barriers, waits of a queue for events.
#include "hooks/opencl/commands/enqueue.h"

namespace gpusan::opencl {

cl_int Handle_clEnqueueMarker(ClCall& call, cl_api_clEnqueueMarker next, cl_command_queue queue,
                              cl_event* event) {
  Enqueue enqueue(call, queue, 0, nullptr, event);
  return enqueue.RunOrderOnly(true, false, [&] { return next(queue, event); });
}

cl_int Handle_clEnqueueMarkerWithWaitList(ClCall& call, cl_api_clEnqueueMarkerWithWaitList next,
                                          cl_command_queue queue, cl_uint count,
                                          const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  return enqueue.RunOrderOnly(count == 0, false, [&] { return next(queue, count, list, event); });
}

cl_int Handle_clEnqueueBarrier(ClCall& call, cl_api_clEnqueueBarrier next, cl_command_queue queue) {
  Enqueue enqueue(call, queue, 0, nullptr, nullptr);
  return enqueue.RunOrderOnly(true, true, [&] { return next(queue); });
}

cl_int Handle_clEnqueueBarrierWithWaitList(ClCall& call, cl_api_clEnqueueBarrierWithWaitList next,
                                           cl_command_queue queue, cl_uint count,
                                           const cl_event* list, cl_event* event) {
  Enqueue enqueue(call, queue, count, list, event);
  return enqueue.RunOrderOnly(count == 0, true, [&] { return next(queue, count, list, event); });
}

cl_int Handle_clEnqueueWaitForEvents(ClCall& call, cl_api_clEnqueueWaitForEvents next,
                                     cl_command_queue queue, cl_uint count, const cl_event* list) {
  Enqueue enqueue(call, queue, count, list, nullptr);
  return enqueue.RunOrderOnly(false, true, [&] { return next(queue, count, list); });
}

}  // namespace gpusan::opencl
