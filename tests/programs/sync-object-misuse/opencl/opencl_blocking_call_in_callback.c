// Defect: The callback of an event waits for a queue.
// Fix: The callback only notes that the command is complete, and the program waits.
// EXPECT error sync-object-misuse clFinish at HERE
#include <stdatomic.h>
#include "common/opencl.h"

static cl_command_queue other;
static atomic_int done;

static void CL_CALLBACK OnComplete(cl_event event, cl_int status, void* data) {
  (void)event, (void)status, (void)data;
#ifdef DEFECT
  // @HERE
  clFinish(other);
#endif
  atomic_store(&done, 1);
}

int main(void) {
  Open(0);
  other = NewQueue(0);
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  OK(clSetEventCallback(event, CL_COMPLETE, OnComplete, NULL));
  OK(clFinish(queue));
  while (atomic_load(&done) == 0) continue;
  OK(clFinish(other));
  CLOSE(event, other);
}
