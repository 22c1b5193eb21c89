// Defect: The times of a command are asked after its event was released.
// Fix: The times are asked before.
// EXPECT error use-after-free clGetEventProfilingInfo at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=event
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_PROFILING_ENABLE);
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  OK(clFinish(queue));
#ifdef DEFECT
  // @RELEASED
  OK(clReleaseEvent(event));
#endif
  cl_ulong end = 0;
  // @HERE
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
#ifndef DEFECT
  OK(clReleaseEvent(event));
#endif
  Close();
}
