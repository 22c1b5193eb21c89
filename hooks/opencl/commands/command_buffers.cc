// Handlers of command buffers (cl_khr_command_buffer): their lifetime and their enqueue, which the
// tracker orders as one command.
#include "hooks/opencl/call/extension_handlers.h"
#include "hooks/opencl/commands/pending_command_buffers.h"
#include "hooks/opencl/objects/references.h"

#ifdef cl_khr_command_buffer
namespace gpusan::opencl {

cl_command_buffer_khr Handle_clCreateCommandBufferKHR(
    ClCall& call, clCreateCommandBufferKHR_fn next, cl_uint num_queues,
    const cl_command_queue* queues, const cl_command_buffer_properties_khr* properties,
    cl_int* errcode_ret) {
  auto buffer = std::make_shared<CommandBuffer>();
  Object* context = nullptr;
  for (cl_uint i = 0; queues != nullptr && i < num_queues; ++i) {
    Queue* queue = UseQueue(call, queues[i]);
    if (queue != nullptr) context = queue->context;
    buffer->queues.emplace_back(queue);
  }
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  const cl_command_buffer_khr handle = next(num_queues, queues, properties, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (handle != nullptr) {
    AdoptCommandBuffer(call, handle, context, std::move(buffer));
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kCommandBuffer, code, 0);
  }
  return call.Done(handle, handle != nullptr ? CL_SUCCESS : code);
}

cl_command_buffer_khr Handle_clRemapCommandBufferKHR(
    ClCall& call, clRemapCommandBufferKHR_fn next, cl_command_buffer_khr source, cl_bool automatic,
    cl_uint num_queues, const cl_command_queue* queues, cl_uint num_handles,
    const cl_mutable_command_khr* handles, cl_mutable_command_khr* handles_ret,
    cl_int* errcode_ret) {
  const Target target = UseCommandBuffer(call, source);
  auto buffer = std::make_shared<CommandBuffer>();
  for (cl_uint i = 0; queues != nullptr && i < num_queues; ++i)
    buffer->queues.emplace_back(UseQueue(call, queues[i]));
  buffer->unknown = true;
  if (target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    buffer->sides = target.buffer->sides;
    buffer->launches = target.buffer->launches;
    buffer->finalized = target.buffer->finalized;
    buffer->unknown = target.buffer->unknown;
  }
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  const cl_command_buffer_khr handle =
      next(source, automatic, num_queues, queues, num_handles, handles, handles_ret, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (handle != nullptr) {
    AdoptCommandBuffer(call, handle, target.object != nullptr ? target.object->context : nullptr,
                       std::move(buffer));
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kCommandBuffer, code, 0);
  }
  return call.Done(handle, handle != nullptr ? CL_SUCCESS : code);
}

cl_int Handle_clRetainCommandBufferKHR(ClCall& call, clRetainCommandBufferKHR_fn next,
                                       cl_command_buffer_khr handle) {
  return RetainHandle(call, next, handle, kCommandBuffer, "command_buffer");
}

cl_int Handle_clReleaseCommandBufferKHR(ClCall& call, clReleaseCommandBufferKHR_fn next,
                                        cl_command_buffer_khr handle) {
  return ReleaseHandle(call, next, handle, kCommandBuffer, "command_buffer", ForgetCommandBuffer);
}

cl_int Handle_clFinalizeCommandBufferKHR(ClCall& call, clFinalizeCommandBufferKHR_fn next,
                                         cl_command_buffer_khr handle) {
  const Target target = UseCommandBuffer(call, handle);
  call.BeforeReal();
  const cl_int code = next(handle);
  if (target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    if (code != CL_SUCCESS) {
      ExplainState(call, target);
    } else {
      target.buffer->finalized = true;
    }
  }
  return call.Done(code);
}

#ifdef cl_khr_command_buffer_mutable_dispatch
namespace {

// gpusan does not follow which arguments are replaced: from here on, the launches of the buffer may
// access any resource.
template <typename Real>
cl_int Update(ClCall& call, cl_command_buffer_khr handle, Real real) {
  const Target target = UseCommandBuffer(call, handle);
  call.BeforeReal();
  const cl_int code = real();
  if (code == CL_SUCCESS && target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    target.buffer->launches.clear();
    target.buffer->unknown = true;
  }
  return call.Done(code);
}

}  // namespace

cl_int Handle_clUpdateMutableCommandsKHR(ClCall& call, clUpdateMutableCommandsKHR_090 next,
                                         cl_command_buffer_khr handle, const void* config) {
  return Update(call, handle, [&] { return next(handle, config); });
}

cl_int Handle_clUpdateMutableCommandsKHR(ClCall& call, clUpdateMutableCommandsKHR_092 next,
                                         cl_command_buffer_khr handle, cl_uint num_configs,
                                         const cl_uint* types, const void** configs) {
  return Update(call, handle, [&] { return next(handle, num_configs, types, configs); });
}
#endif

cl_int Handle_clEnqueueCommandBufferKHR(ClCall& call, clEnqueueCommandBufferKHR_fn next,
                                        cl_uint num_queues, cl_command_queue* queues,
                                        cl_command_buffer_khr handle, cl_uint count,
                                        const cl_event* list, cl_event* event) {
  Tracker& tracker = call.tracker();
  const Target target = UseCommandBuffer(call, handle);
  // A copy: the driver is not called under the lock.
  CommandBuffer buffer;
  if (target.buffer != nullptr) {
    std::lock_guard lock(target.buffer->lock);
    buffer.queues = target.buffer->queues;
    buffer.sides = target.buffer->sides;
    buffer.launches = target.buffer->launches;
    buffer.finalized = target.buffer->finalized;
    buffer.unknown = target.buffer->unknown;
  }
  // The queues of the call replace those of the creation, which the buffer keeps alive.
  Queue* queue = nullptr;
  bool several = buffer.queues.size() > 1;
  if (queues != nullptr && num_queues != 0) {
    for (cl_uint i = num_queues; i-- > 0;) queue = UseQueue(call, queues[i]);
    several = num_queues > 1;
  } else if (!buffer.queues.empty()) {
    queue = buffer.queues.front().get();
  }
  Enqueue enqueue(call, queue, count, list, event);
  enqueue.Begin();
  // With several queues, each command belongs to one of them, and gpusan does not know to which.
  const bool ordered = !several && !call.has_error();
  if (ordered) {
    Replay(
        buffer,
        [&](const Transfer& transfer) {
          tracker.RecordTransfer(call, enqueue.command(), transfer);
        },
        [&](const Launch& launch) { tracker.RecordLaunch(call, enqueue.command(), launch); });
  }
  const cl_int code = next(num_queues, queues, handle, count, list, event);
  if (code == CL_SUCCESS) {
    Replay(
        buffer,
        [&](const Transfer& transfer) { tracker.CommitTransfer(enqueue.command(), transfer); },
        [&](const Launch& launch) { tracker.CommitLaunch(enqueue.command(), launch); });
    if (buffer.unknown && target.object != nullptr) tracker.MarkAllWritten(target.object->context);
  } else if (target.buffer != nullptr && !buffer.finalized) {
    call.FailureFact("the command buffer was not finalized before it was enqueued");
  }
  enqueue.End(code, false);
  return call.Done(code);
}

}  // namespace gpusan::opencl
#endif
