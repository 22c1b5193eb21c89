// Handlers of events and user events, and the waits of the host: for events and for queues.
#include "hooks/opencl/objects/events.h"

#include <atomic>

#include "hooks/common/base/process_state.h"
#include "hooks/common/missing_times.h"
#include "hooks/opencl/objects/delays.h"
#include "hooks/opencl/objects/flushes.h"
#include "hooks/opencl/objects/query_sizes.h"
#include "hooks/opencl/words/names.h"
#include "hooks/opencl/words/vocabulary.h"
#include "tracker/host/left_stack.h"

namespace gpusan::opencl {
namespace {

constinit ProcessState<MissingTimes> g_times;
const ForkReset g_reset_times([] { g_times.Forget(); });

Event* UseEvent(ClCall& call, cl_event event) {
  return static_cast<Event*>(
      call.tracker().objects().Use(call, HandleOf(event), kAnyEvent, "event"));
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
    const Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(list[i]));
    const auto* event = object != nullptr && object->kind == ObjectKind::kEvent
                            ? static_cast<const Event*>(object)
                            : nullptr;
    absl::StrAppend(
        &text, text.empty() ? "" : ", ", "event ", HandleText(HandleOf(list[i])),
        event != nullptr && event->call != nullptr ? absl::StrCat(" of ", event->call->name) : "",
        " ended with ",
        // Programs usually set -1 as the error status of user events.
        status == CL_DEVICE_NOT_FOUND ? "status -1" : ErrorText(status));
  }
  return text;
}

// Orders the command of the event before what the host does next.
void WaitForCommand(ClCall& call, cl_event event) {
  const Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(event));
  if (object != nullptr && object->kind == ObjectKind::kEvent)
    call.tracker().ordering().WaitEvent(*static_cast<const Event*>(object));
}

}  // namespace

void ExplainFailedWait(ClCall& call, const Object& waiting) {
  if (waiting.context == nullptr) return;
  const auto& context = static_cast<const PlainObject&>(*waiting.context);
  // Nothing is known of a context whose storage another one has now.
  if (context.generation.load(std::memory_order_relaxed) != waiting.context_generation ||
      context.abandoned.load(std::memory_order_relaxed))
    call.IgnoreFailure();
}

void ReportMissingTimes(Tracker& tracker) {
  g_times.Get().Report(tracker, Api::kOpenCL, Words(),
                       Words().CodeName(CL_PROFILING_INFO_NOT_AVAILABLE));
}

namespace handlers {

void clCreateUserEvent::After(ClCall& call, cl_event event) {
  if (Created(call, ObjectKind::kUserEvent, event))
    call.tracker().objects().NewUserEvent(call, HandleOf(event), context_);
}

void clSetUserEventStatus::Before(ClCall& call, cl_event event, cl_int status) {
  auto* shadow = static_cast<Event*>(
      call.tracker().objects().Use(call, HandleOf(event), MaskOf(ObjectKind::kUserEvent), "event"));
  const bool again = shadow != nullptr && shadow->status.load(std::memory_order_relaxed) != 1;
  if (again) {
    call.FailureReason(
        "event has its status already; the status of a user event is set once (OpenCL 3.0 §5.11)");
  } else if (status > CL_COMPLETE) {
    call.FailureReason(absl::StrCat("execution_status is ", status, ", which is neither ",
                                    "CL_COMPLETE nor a negative code (OpenCL 3.0 §5.11)"));
  }
  // Every command after the event ends with an error, too (OpenCL 3.0 §5.11).
  if (shadow != nullptr && shadow->context != nullptr && status < 0)
    static_cast<PlainObject*>(shadow->context)->abandoned.store(true, std::memory_order_relaxed);
  if (shadow != nullptr && !again) call.tracker().ordering().SignalUserEvent(call, *shadow, status);
}

void clSetEventCallback::Before(ClCall& call, cl_event event, cl_int status, EventNotify& notify,
                                void*& user_data) {
  if (notify == nullptr) {
    call.FailureReason("pfn_notify is NULL (OpenCL 3.0 §5.11)");
  } else if (status < CL_COMPLETE || status > CL_SUBMITTED) {
    call.FailureReason(
        absl::StrCat("command_exec_callback_type is ", status,
                     ", which is not CL_SUBMITTED, CL_RUNNING or CL_COMPLETE (OpenCL 3.0 §5.11)"));
  }
  wrapped_ = WrapEventNotify(call.tracker(), UseEvent(call, event), notify, user_data);
  wrapped_.Replace(notify, user_data);
}

void clSetEventCallback::After(ClCall&, cl_int code) {
  if (code != CL_SUCCESS) wrapped_.Discard();
}

void clWaitForEvents::Before(ClCall& call, cl_uint count, const cl_event* list) {
  CheckMayBlock(call);
  CheckLeftStack(call, call.tracker().host_side(), call.tracker().ordering().host());
  if (count == 0) call.FailureReason("num_events is 0 (OpenCL 3.0 §5.11, clWaitForEvents)");
  // All events must be of one context (OpenCL 3.0 §5.11, clWaitForEvents).
  const Object* first = nullptr;
  if (count > 1 && list != nullptr && list[0] != nullptr) {
    first = call.tracker().objects().Find(Api::kOpenCL, HandleOf(list[0]));
    if (first != nullptr && (!first->live() || first->context == nullptr)) first = nullptr;
  }
  UseWaitList(call, first, count, list, &events_, "event_list");
  NoteFlush(call, events_);
}

void clWaitForEvents::After(ClCall& call, cl_int code, cl_uint count, const cl_event* list) {
  // A command that ended with an error has ended: the wait orders it.
  if (code != CL_SUCCESS && code != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) return;
  for (const Event* event : events_) call.tracker().ordering().WaitEvent(*event);
  if (code == CL_SUCCESS) return;
  call.FailureFact(Poisoned(call, count, list));
  if (!events_.empty()) ExplainFailedWait(call, *events_.front());
}

void clGetEventInfo::Before(ClCall& call, cl_event event, cl_event_info, size_t, void*, size_t*) {
  UseEvent(call, event);
}

void clGetEventInfo::After(ClCall& call, cl_int code, cl_event event, cl_event_info param_name,
                           size_t size, void* value, size_t* needed) {
  if (!ExplainQuery<&cl_icd_dispatch::clGetEventInfo>(call, code, event, param_name, size, value,
                                                      needed))
    call.IgnoreFailure();
  // The specification does not define a poll as a synchronization point, but programs rely on it
  // and drivers synchronise.
  if (code == CL_SUCCESS && param_name == CL_EVENT_COMMAND_EXECUTION_STATUS && value != nullptr &&
      *static_cast<const cl_int*>(value) <= CL_COMPLETE) {
    WaitForCommand(call, event);
  }
  if (code == CL_SUCCESS &&
      (param_name == CL_EVENT_COMMAND_QUEUE || param_name == CL_EVENT_CONTEXT)) {
    KeepReturned(call, value);
  }
}

namespace {

// States why the driver will never have times of the event. Returns false if it may have them
// later: a program may ask until the command is complete.
bool ExplainUnavailable(ClCall& call, cl_event event) {
  const auto get = GPUSAN_NEXT(call, clGetEventInfo);
  const auto get_queue = GPUSAN_NEXT(call, clGetCommandQueueInfo);
  cl_command_queue queue = nullptr;
  if (get == nullptr || get_queue == nullptr ||
      get(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &queue, nullptr) != CL_SUCCESS)
    return false;
  if (queue == nullptr) {
    call.FailureReason("the event is a user event, which has no times (OpenCL 3.0 §5.14)");
    return true;
  }
  cl_command_queue_properties properties = 0;
  if (get_queue(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, nullptr) !=
          CL_SUCCESS ||
      (properties & CL_QUEUE_PROFILING_ENABLE) != 0)
    return false;
  call.FailureReason(
      "the queue of the command was created without CL_QUEUE_PROFILING_ENABLE (OpenCL 3.0 §5.14)");
  return true;
}

bool IsNewest(ClCall& call, cl_event event) {
  const Object* object = call.tracker().objects().Find(Api::kOpenCL, HandleOf(event));
  return object != nullptr && object->kind == ObjectKind::kEvent &&
         MissingTimes::IsNewest(call.tracker(), static_cast<const Event*>(object)->epoch);
}

}  // namespace

void clGetEventProfilingInfo::Before(ClCall& call, cl_event event, cl_profiling_info, size_t, void*,
                                     size_t*) {
  UseEvent(call, event);
}

void clGetEventProfilingInfo::After(ClCall& call, cl_int code, cl_event event,
                                    cl_profiling_info param_name, size_t size, void* value,
                                    size_t* needed) {
  // Other failures may be probes.
  if (code == CL_PROFILING_INFO_NOT_AVAILABLE && ExplainUnavailable(call, event)) return;
  if (code == CL_SUCCESS || (code == CL_PROFILING_INFO_NOT_AVAILABLE && IsNewest(call, event)))
    g_times.Get().Note(call, code == CL_SUCCESS, HandleOf(event), 0);
  if (ExplainQuery<&cl_icd_dispatch::clGetEventProfilingInfo>(call, code, event, param_name, size,
                                                              value, needed))
    return;
  call.IgnoreFailure();
  // The times are available only after the command has completed (OpenCL 3.0 §5.14).
  if (code == CL_SUCCESS) WaitForCommand(call, event);
}

void clFinish::Before(ClCall& call, cl_command_queue queue) {
  CheckMayBlock(call);
  CheckLeftStack(call, call.tracker().host_side(), call.tracker().ordering().host());
  queue_ = UseQueue(call, queue);
}

void clFinish::After(ClCall& call, cl_int code) {
  if (code == CL_SUCCESS && queue_ != nullptr) call.tracker().ordering().WaitQueue(*queue_);
}

void ForeignEventHandler::After(ClCall& call, cl_event event) {
  if (!Created(call, ObjectKind::kEvent, event)) return;
  NoteOutsideDelay();
  Command command;
  command.call = &call.info();
  command.site = call.site();
  call.tracker().objects().NewEvent(call, HandleOf(event), context_, command);
}

}  // namespace handlers
}  // namespace gpusan::opencl
