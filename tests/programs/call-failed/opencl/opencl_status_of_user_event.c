// Defect: The status of user events is set to a status that is no end, and a second time.
// Fix: The status is set once, to CL_COMPLETE.
// EXPECT warning call-failed clSetUserEventStatus CL_INVALID_VALUE at RUNNING
// EXPECT-TEXT execution_status is 1, which is neither CL_COMPLETE nor a negative code
// EXPECT warning call-failed clSetUserEventStatus CL_INVALID_OPERATION at AGAIN
// EXPECT-TEXT event has its status already
// EXPECT-TEXT correct event
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_event event = MADE(clCreateUserEvent(context, &error));
#ifdef DEFECT
  // @RUNNING
  clSetUserEventStatus(event, CL_RUNNING);
#endif
  OK(clSetUserEventStatus(event, CL_COMPLETE));
#ifdef DEFECT
  // @AGAIN
  clSetUserEventStatus(event, CL_COMPLETE);
#endif
  CLOSE(event);
}
