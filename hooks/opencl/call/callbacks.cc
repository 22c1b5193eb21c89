// Closures and trampolines of the program's callbacks.
#include "hooks/opencl/call/callbacks.h"

#include "hooks/common/guard.h"
#include "hooks/opencl/call/call.h"
#include "tracker/rules/rules.h"
#include "tracker/tracker.h"

namespace gpusan::opencl {
namespace {

__attribute__((tls_model("initial-exec"))) constinit thread_local uint16_t svm_free_depth = 0;

template <typename Function>
struct Closure {
  Function function;
  void* user_data;
  static void Discard(void* closure) { delete static_cast<Closure*>(closure); }
};

// Runs the program's callback, whose calls are intercepted again, and frees the closure.
template <typename Function, typename... Arguments>
void RunOnce(void* data, Arguments... arguments) {
  auto* closure = static_cast<Closure<Function>*>(data);
  {
    ReentryPause pause;
    closure->function(arguments..., closure->user_data);
  }
  ReentryGuard guard;
  delete closure;
}

template <typename Function>
WrappedCallback<Function> Wrap(Function function, void* user_data, Function trampoline) {
  if (function == nullptr) return {nullptr, user_data, nullptr};
  return {trampoline, new Closure<Function>{function, user_data}, &Closure<Function>::Discard};
}

// States that the calling thread runs a callback of an event or memory object.
class InCallback {
 public:
  InCallback() { ++callbacks_internal::depth; }
  ~InCallback() { --callbacks_internal::depth; }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;
};

struct EventClosure {
  Tracker* tracker;
  WeakRef<Event> event;
  EventNotify function;
  void* user_data;
};

void CL_CALLBACK OnEvent(cl_event event, cl_int status, void* data) {
  auto* closure = static_cast<EventClosure*>(data);
  if (status <= CL_COMPLETE) {
    ReentryGuard guard;
    if (const Event* shadow = closure->event.get(); shadow != nullptr)
      closure->tracker->ordering().WaitEvent(*shadow);
  }
  {
    const InCallback in_callback;
    ReentryPause pause;
    closure->function(event, status, closure->user_data);
  }
  ReentryGuard guard;
  delete closure;
}

}  // namespace

WrappedCallback<ContextNotify> WrapContextNotify(ContextNotify function, void* user_data) {
  // The driver may call it until the context is destroyed, which gpusan cannot observe: the closure
  // is never freed.
  return Wrap<ContextNotify>(
      function, user_data, [](const char* info, const void* private_info, size_t size, void* data) {
        auto* closure = static_cast<Closure<ContextNotify>*>(data);
        ReentryPause pause;
        closure->function(info, private_info, size, closure->user_data);
      });
}

WrappedCallback<ContextDestructor> WrapContextDestructor(ContextDestructor function,
                                                         void* user_data) {
  return Wrap<ContextDestructor>(function, user_data, [](cl_context context, void* data) {
    RunOnce<ContextDestructor>(data, context);
  });
}

WrappedCallback<ProgramNotify> WrapProgramNotify(ProgramNotify function, void* user_data) {
  return Wrap<ProgramNotify>(function, user_data, [](cl_program program, void* data) {
    RunOnce<ProgramNotify>(data, program);
  });
}

WrappedCallback<MemoryDestructor> WrapMemoryDestructor(MemoryDestructor function, void* user_data) {
  return Wrap<MemoryDestructor>(function, user_data, [](cl_mem memory, void* data) {
    const InCallback in_callback;
    RunOnce<MemoryDestructor>(data, memory);
  });
}

WrappedCallback<EventNotify> WrapEventNotify(Tracker& tracker, Event* event, EventNotify function,
                                             void* user_data) {
  if (function == nullptr) return {nullptr, user_data, nullptr};
  return {&OnEvent, new EventClosure{&tracker, WeakRef<Event>(event), function, user_data},
          [](void* closure) { delete static_cast<EventClosure*>(closure); }};
}

WrappedCallback<SvmFreeNotify> WrapSvmFreeNotify(SvmFreeNotify function, void* user_data) {
  return Wrap<SvmFreeNotify>(
      function, user_data, [](cl_command_queue queue, cl_uint count, void** pointers, void* data) {
        ++svm_free_depth;
        RunOnce<SvmFreeNotify>(data, queue, count, pointers);
        --svm_free_depth;
      });
}

bool InSvmFreeNotify() { return svm_free_depth != 0; }

namespace callbacks_internal {

constinit thread_local int depth = 0;

void ReportBlocking(ClCall& call) {
  SyncMisuse misuse;
  misuse.fault = SyncMisuse::Fault::kBlockingInCallback;
  rules::OnSyncMisuse(misuse, call);
  // The call may never return.
  call.MayCrash();
}

}  // namespace callbacks_internal

}  // namespace gpusan::opencl
