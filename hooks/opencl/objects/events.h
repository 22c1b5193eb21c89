// Handlers of events and user events, and of the waits of the host.
#pragma once

#include "hooks/opencl/call/callbacks.h"
#include "hooks/opencl/objects/use_objects.h"

namespace gpusan::opencl {

// Explains that a wait failed because an event had failed. `waiting`: an event of the wait, or the
// queue that waits. If the program itself has ended a user event of the same context with a
// negative status, it has asked for the failure, and there is no finding. Thread-safe.
void ExplainFailedWait(ClCall& call, const Object& waiting);

// Reports the call sites of clGetEventProfilingInfo that asked too early and got no time. Call it
// when the process ends.
void ReportMissingTimes(Tracker& tracker);

namespace handlers {

struct clCreateUserEvent : InContext {
  void After(ClCall& call, cl_event event);
};

struct clSetUserEventStatus {
  BeforeOf<cl_api_clSetUserEventStatus> Before;
};

struct clSetEventCallback {
  void Before(ClCall& call, cl_event event, cl_int type, EventNotify& notify, void*& user_data);
  void After(ClCall& call, cl_int code);

 private:
  WrappedCallback<EventNotify> wrapped_;
};

struct clWaitForEvents {
  BeforeOf<cl_api_clWaitForEvents> Before;
  AfterOf<cl_api_clWaitForEvents> After;

 private:
  Waits events_;
};

// A poll that reports completion orders the command before what the host does next.
struct clGetEventInfo {
  BeforeOf<cl_api_clGetEventInfo> Before;
  AfterOf<cl_api_clGetEventInfo> After;
};

struct clGetEventProfilingInfo {
  BeforeOf<cl_api_clGetEventProfilingInfo> Before;
  AfterOf<cl_api_clGetEventProfilingInfo> After;
};

struct clFinish {
  BeforeOf<cl_api_clFinish> Before;
  void After(ClCall& call, cl_int code);

 private:
  Queue* queue_ = nullptr;
};

// The base of the handlers that create an event of another API. gpusan knows that it exists, but
// not its order.
struct ForeignEventHandler : InContext {
  void After(ClCall& call, cl_event event);
};

struct clCreateEventFromGLsyncKHR : ForeignEventHandler {};

struct clCreateEventFromEGLSyncKHR : ForeignEventHandler {};

}  // namespace handlers
}  // namespace gpusan::opencl
