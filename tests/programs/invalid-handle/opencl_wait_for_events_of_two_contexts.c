// Defect: A wait names events of two contexts.
// Fix: Each context has a wait of its own.
// EXPECT error invalid-handle clWaitForEvents CL_INVALID_CONTEXT at HERE
// EXPECT-FACT argument=event_list[1]
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  cl_event events[2];
  events[0] = MADE(clCreateUserEvent(context, &error));
  events[1] = MADE(clCreateUserEvent(other, &error));
  for (int i = 0; i < 2; ++i) OK(clSetUserEventStatus(events[i], CL_COMPLETE));
#ifdef DEFECT
  // @HERE
  FAILS(CL_INVALID_CONTEXT, clWaitForEvents(2, events));
#else
  OK(clWaitForEvents(1, &events[0]));
  OK(clWaitForEvents(1, &events[1]));
#endif
  for (int i = 0; i < 2; ++i) OK(clReleaseEvent(events[i]));
  OK(clReleaseContext(other));
  Close();
}
