// Handlers of command buffers (cl_khr_command_buffer): their lifetime and their enqueue, which the
// tracker orders as one command.
#include "hooks/opencl/commands/command_buffers.h"

#include <utility>

#ifdef cl_khr_command_buffer
namespace gpusan::opencl::handlers {
namespace {

// CL_COMMAND_BUFFER_MUTABLE_KHR, which older headers lack.
constexpr cl_command_buffer_flags_khr kMutableCommands = 1 << 1;

}  // namespace

void CommandBufferHandler::After(ClCall& call, cl_command_buffer_khr handle) {
  if (Created(call, ObjectKind::kCommandBuffer, handle))
    AdoptCommandBuffer(call, handle, context_, std::move(buffer_));
}

void clCreateCommandBufferKHR::Before(ClCall& call, cl_uint num_queues,
                                      const cl_command_queue* queues,
                                      const cl_command_buffer_properties_khr* properties, cl_int*) {
  buffer_ = std::make_shared<CommandBuffer>();
  for (; properties != nullptr && properties[0] != 0; properties += 2) {
    if (properties[0] == CL_COMMAND_BUFFER_FLAGS_KHR)
      buffer_->mutable_arguments = (properties[1] & kMutableCommands) != 0;
  }
  for (cl_uint i = 0; queues != nullptr && i < num_queues; ++i) {
    auto* queue = static_cast<Queue*>(
        UseElement(call, nullptr, queues[i], MaskOf(ObjectKind::kQueue), "queues", i));
    if (queue != nullptr) context_ = queue->context;
    buffer_->queues.emplace_back(queue);
  }
}

void clRemapCommandBufferKHR::Before(ClCall& call, cl_command_buffer_khr source, cl_bool,
                                     cl_uint num_queues, const cl_command_queue* queues, cl_uint,
                                     const cl_mutable_command_khr*, cl_mutable_command_khr*,
                                     cl_int*) {
  const Target target = UseCommandBuffer(call, source);
  if (target.object != nullptr) context_ = target.object->context;
  buffer_ = std::make_shared<CommandBuffer>();
  for (cl_uint i = 0; queues != nullptr && i < num_queues; ++i)
    buffer_->queues.emplace_back(UseQueue(call, queues[i]));
  buffer_->unknown = true;
  if (target.buffer == nullptr) return;
  std::lock_guard lock(target.buffer->lock);
  buffer_->sides = target.buffer->sides;
  buffer_->launches = target.buffer->launches;
  buffer_->finalized = target.buffer->finalized;
  buffer_->unknown = target.buffer->unknown;
}

void clRetainCommandBufferKHR::Before(ClCall& call, cl_command_buffer_khr handle) {
  if (!IsNull(call, handle, kCommandBuffer, "command_buffer"))
    Find(call, handle, kCommandBuffer, "command_buffer");
}

void clReleaseCommandBufferKHR::Before(ClCall& call, cl_command_buffer_khr handle) {
  if (IsNull(call, handle, kCommandBuffer, "command_buffer")) return;
  const Object* last = ReleaseLast(call, handle, kCommandBuffer, "command_buffer");
  if (last != nullptr) ForgetCommandBuffer(last);
}

void clGetCommandBufferInfoKHR::Before(ClCall& call, cl_command_buffer_khr handle,
                                       cl_command_buffer_info_khr, size_t, void*, size_t*) {
  UseCommandBuffer(call, handle);
}

void clFinalizeCommandBufferKHR::Before(ClCall& call, cl_command_buffer_khr handle) {
  target_ = UseCommandBuffer(call, handle);
}

void clFinalizeCommandBufferKHR::After(ClCall& call, cl_int code) {
  if (target_.buffer == nullptr) return;
  std::lock_guard lock(target_.buffer->lock);
  if (code != CL_SUCCESS) {
    ExplainState(call, target_);
  } else {
    target_.buffer->finalized = true;
  }
}

#ifdef cl_khr_command_buffer_mutable_dispatch
void clUpdateMutableCommandsKHR::Before(ClCall& call, cl_command_buffer_khr handle, const void*) {
  target_ = UseCommandBuffer(call, handle);
}

void clUpdateMutableCommandsKHR::Before(ClCall& call, cl_command_buffer_khr handle, cl_uint,
                                        const cl_uint*, const void**) {
  target_ = UseCommandBuffer(call, handle);
}

void clUpdateMutableCommandsKHR::After(ClCall&, cl_int code) {
  if (code != CL_SUCCESS || target_.buffer == nullptr) return;
  std::lock_guard lock(target_.buffer->lock);
  target_.buffer->launches.clear();
  target_.buffer->order.ForgetAccesses();
  target_.buffer->unknown = true;
}
#endif

void clEnqueueCommandBufferKHR::Before(ClCall& call, cl_uint num_queues, cl_command_queue* queues,
                                       cl_command_buffer_khr handle, cl_uint count,
                                       const cl_event* list, cl_event* event) {
  Tracker& tracker = call.tracker();
  target_ = UseCommandBuffer(call, handle);
  if (target_.buffer != nullptr) {
    std::lock_guard lock(target_.buffer->lock);
    recorded_.queues = target_.buffer->queues;
    recorded_.sides = target_.buffer->sides;
    recorded_.launches = target_.buffer->launches;
    recorded_.finalized = target_.buffer->finalized;
    recorded_.unknown = target_.buffer->unknown;
  }
  // The queues of the call replace those of the creation, which the buffer keeps alive.
  Queue* queue = nullptr;
  bool several = recorded_.queues.size() > 1;
  if (queues != nullptr && num_queues != 0) {
    for (cl_uint i = num_queues; i-- > 0;) queue = UseQueue(call, queues[i]);
    several = num_queues > 1;
  } else if (!recorded_.queues.empty()) {
    queue = recorded_.queues.front().get();
  }
  OpenOn(call, queue, count, list, event);
  Begin(call);
  if (call.has_error() || target_.buffer == nullptr) return;
  {
    std::lock_guard lock(target_.buffer->lock);
    target_.buffer->order.Check(call);
  }
  // With several queues, each access belongs to one of them, and the record does not contain which.
  if (several) return;
  Replay(
      recorded_,
      [&](const Transfer& transfer) {
        tracker.accesses().RecordTransfer(call, command(), transfer);
      },
      [&](const Launch& launch) { tracker.accesses().RecordLaunch(call, command(), launch); });
}

void clEnqueueCommandBufferKHR::After(ClCall& call, cl_int code) {
  Tracker& tracker = call.tracker();
  if (code == CL_SUCCESS) {
    Replay(
        recorded_, [&](const Transfer& transfer) { tracker.accesses().CommitTransfer(transfer); },
        [&](const Launch& launch) { tracker.accesses().CommitLaunch(launch); });
    if (recorded_.unknown && target_.object != nullptr)
      tracker.objects().MarkAllWritten(target_.object->context);
  } else if (target_.buffer != nullptr && recorded_.finalized && code == CL_INVALID_OPERATION) {
    call.FailureReason(
        "command_buffer is pending: an earlier clEnqueueCommandBufferKHR of it is not complete, "
        "and it was created without CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR "
        "(cl_khr_command_buffer, clEnqueueCommandBufferKHR)");
  } else if (target_.buffer != nullptr && !recorded_.finalized) {
    call.FailureReason(
        "command_buffer was not finalized before it was enqueued (cl_khr_command_buffer, "
        "clEnqueueCommandBufferKHR)");
  }
  End(call, code);
}

}  // namespace gpusan::opencl::handlers
#endif
