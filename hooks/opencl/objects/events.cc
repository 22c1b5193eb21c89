// Handlers of events and user events, and the waits of the host: for events and for queues.
#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/objects/use_objects.h"
#include "hooks/opencl/words/names.h"

namespace gpusan::opencl {
namespace {

Event* UseEvent(ClCall& call, cl_event event) {
  return static_cast<Event*>(call.tracker().Use(call, HandleOf(event), kAnyEvent, "event"));
}

// Returns a text about the events that ended with an error, for a wait that failed because of them.
std::string Poisoned(ClCall& call, cl_uint count, const cl_event* list) {
  const auto get = GPUSAN_NEXT(call, clGetEventInfo);
  std::string text;
  for (cl_uint i = 0; get != nullptr && list != nullptr && i < count; ++i) {
    cl_int status = CL_COMPLETE;
    if (get(list[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr) !=
        CL_SUCCESS)
      continue;
    if (status >= 0) continue;
    const Object* object = call.tracker().Find(Api::kOpenCL, HandleOf(list[i]));
    const auto* event = object != nullptr && object->kind == ObjectKind::kEvent
                            ? static_cast<const Event*>(object)
                            : nullptr;
    absl::StrAppend(
        &text, text.empty() ? "" : ", ", "event ", HandleText(HandleOf(list[i])),
        event != nullptr && event->call != nullptr ? absl::StrCat(" of ", event->call->name) : "",
        " ended with ", ErrorText(status));
  }
  return text;
}

}  // namespace

cl_event Handle_clCreateUserEvent(ClCall& call, cl_api_clCreateUserEvent next, cl_context context,
                                  cl_int* errcode_ret) {
  Object* owner = UseContext(call, context);
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  cl_event event = next(context, &code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (event != nullptr) {
    call.tracker().NewUserEvent(call, HandleOf(event), owner);
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kUserEvent, code, 0);
  }
  call.Done(event != nullptr ? CL_SUCCESS : code);
  return event;
}

cl_int Handle_clSetUserEventStatus(ClCall& call, cl_api_clSetUserEventStatus next, cl_event event,
                                   cl_int status) {
  auto* shadow = static_cast<Event*>(
      call.tracker().Use(call, HandleOf(event), MaskOf(ObjectKind::kUserEvent), "event"));
  const bool again = shadow != nullptr && shadow->status.load(std::memory_order_relaxed) != 1;
  if (again)
    call.FailureFact("the status of this user event was already set; it can be set only once");
  if (shadow != nullptr && !again) call.tracker().SignalUserEvent(call, *shadow, status);
  call.BeforeReal();
  return call.Done(next(event, status));
}

cl_int Handle_clSetEventCallback(ClCall& call, cl_api_clSetEventCallback next, cl_event event,
                                 cl_int type, EventNotify notify, void* user_data) {
  Event* shadow = UseEvent(call, event);
  call.BeforeReal();
  const auto wrapped = WrapEventNotify(call.tracker(), shadow, notify, user_data);
  const cl_int code = next(event, type, wrapped.function, wrapped.user_data);
  if (code != CL_SUCCESS) wrapped.Discard();
  return call.Done(code);
}

cl_int Handle_clWaitForEvents(ClCall& call, cl_api_clWaitForEvents next, cl_uint count,
                              const cl_event* list) {
  Waits events;
  UseWaitList(call, nullptr, count, list, &events);
  call.BeforeReal();
  const cl_int code = next(count, list);
  // A command that ended with an error has ended: the wait orders it.
  if (code == CL_SUCCESS || code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
    for (const Event* event : events) call.tracker().WaitEvent(*event);
    if (code != CL_SUCCESS) call.FailureFact(Poisoned(call, count, list));
  }
  return call.Done(code);
}

cl_int Handle_clGetEventInfo(ClCall& call, cl_api_clGetEventInfo next, cl_event event,
                             cl_event_info param_name, size_t size, void* value, size_t* size_ret) {
  const cl_int code = next(event, param_name, size, value, size_ret);
  if (code == CL_SUCCESS && param_name == CL_EVENT_COMMAND_EXECUTION_STATUS && value != nullptr &&
      *static_cast<const cl_int*>(value) <= CL_COMPLETE) {
    // The specification does not define a poll as a synchronisation point, but programs rely on it
    // and drivers synchronise.
    Object* object = call.tracker().Find(Api::kOpenCL, HandleOf(event));
    if (object != nullptr && object->kind == ObjectKind::kEvent)
      call.tracker().WaitEvent(*static_cast<Event*>(object));
  }
  return code;
}

cl_int Handle_clGetEventProfilingInfo(ClCall& call, cl_api_clGetEventProfilingInfo next,
                                      cl_event event, cl_profiling_info param_name, size_t size,
                                      void* value, size_t* size_ret) {
  const cl_int code = next(event, param_name, size, value, size_ret);
  // The times are available only after the command has completed (OpenCL 3.0 §5.14).
  if (code == CL_SUCCESS) {
    Object* object = call.tracker().Find(Api::kOpenCL, HandleOf(event));
    if (object != nullptr && object->kind == ObjectKind::kEvent)
      call.tracker().WaitEvent(*static_cast<Event*>(object));
  }
  return code;
}

cl_int Handle_clFinish(ClCall& call, cl_api_clFinish next, cl_command_queue queue) {
  Queue* shadow = UseQueue(call, queue);
  call.BeforeReal();
  const cl_int code = next(queue);
  if (code == CL_SUCCESS && shadow != nullptr) call.tracker().WaitQueue(*shadow);
  return call.Done(code);
}

namespace {

// Creates an event of another API. gpusan knows that it exists, but not its order.
template <typename Real>
cl_event CreateForeignEvent(ClCall& call, cl_context context, cl_int* errcode_ret, Real real) {
  Object* owner = UseContext(call, context);
  call.BeforeReal();
  cl_int code = CL_SUCCESS;
  cl_event event = real(&code);
  if (errcode_ret != nullptr) *errcode_ret = code;
  if (event != nullptr) {
    Command command;
    command.call = &call.info();
    command.site = call.site();
    call.tracker().NewEvent(call, HandleOf(event), owner, command);
  } else {
    call.tracker().NoteFailedCreation(call, ObjectKind::kEvent, code, 0);
  }
  call.Done(event != nullptr ? CL_SUCCESS : code);
  return event;
}

}  // namespace

cl_event Handle_clCreateEventFromGLsyncKHR(ClCall& call, cl_api_clCreateEventFromGLsyncKHR next,
                                           cl_context context, cl_GLsync sync,
                                           cl_int* errcode_ret) {
  return CreateForeignEvent(call, context, errcode_ret,
                            [&](cl_int* code) { return next(context, sync, code); });
}

cl_event Handle_clCreateEventFromEGLSyncKHR(ClCall& call, cl_api_clCreateEventFromEGLSyncKHR next,
                                            cl_context context, CLeglSyncKHR sync,
                                            CLeglDisplayKHR display, cl_int* errcode_ret) {
  return CreateForeignEvent(call, context, errcode_ret,
                            [&](cl_int* code) { return next(context, sync, display, code); });
}

}  // namespace gpusan::opencl
