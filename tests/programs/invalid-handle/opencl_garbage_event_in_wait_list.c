// Defect: The second element of a wait list was never set.
// Fix: Both elements are events of commands.
// EXPECT error invalid-handle clEnqueueMarkerWithWaitList at HERE
// EXPECT-FACT argument=event_wait_list[1]
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_event events[2];
  memset(events, 0x5a, sizeof(events));
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[0]));
#ifndef DEFECT
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[1]));
#endif
  // @HERE
  clEnqueueMarkerWithWaitList(queue, 2, events, NULL);
  OK(clFinish(queue));
  OK(clReleaseEvent(events[0]));
#ifndef DEFECT
  OK(clReleaseEvent(events[1]));
#endif
  Close();
}
