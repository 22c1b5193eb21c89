// Defect: Events are not flushed or not set when the program relies on them, and a callback blocks.
// Fix: Events are flushed and set before the program relies on them, and callbacks do not block.
#include <stdatomic.h>

#include "common/opencl.h"

// Defect: A command waits for an event of another queue, which was not flushed.
// Fix: The program flushes that queue first.
// EXPECT note sync-object-misuse clEnqueueReadBuffer at HERE
// EXPECT-PARTY command at FILLED
static void EventNotFlushed(void) {
  static int result[256];
  const cl_int one = 1;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event filled;
  // @FILLED
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, &filled));
#ifndef DEFECT
  OK(clFlush(queue));
#endif
  // @HERE
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, sizeof(result), result, 1, &filled, NULL));
  printf("%d\n", result[255]);
  RELEASE(filled, buffer, second);
}

// Defect: A buffer is released while a command waits for a user event whose status is not set.
// Fix: The status is set before the release.
// EXPECT error sync-object-misuse clReleaseMemObject at HERE_2
// EXPECT-PARTY waiting-command at WAITS
// EXPECT-PARTY allocation at EVENT
static void ReleaseBeforeUserEvent(void) {
  // @EVENT
  cl_event start = MADE(clCreateUserEvent(context, &error));
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @WAITS
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 4096, 1, &start, NULL));
#ifdef DEFECT
  // @HERE_2
  OK(clReleaseMemObject(buffer));
#endif
  OK(clSetUserEventStatus(start, CL_COMPLETE));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  OK(clFinish(queue));
  RELEASE(start);
}

// Defect: The callback of an event waits for a queue.
// Fix: The callback only notes that the command is complete, and the program waits.
// EXPECT error sync-object-misuse clFinish at HERE_3
static cl_command_queue other;
static atomic_int done;

static void CL_CALLBACK OnComplete(cl_event event, cl_int status, void* data) {
  (void)event, (void)status, (void)data;
#ifdef DEFECT
  // @HERE_3
  clFinish(other);
#endif
  atomic_store(&done, 1);
}

static void BlockingCallInCallback(void) {
  other = NewQueue(0);
  cl_event event;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
  OK(clSetEventCallback(event, CL_COMPLETE, OnComplete, NULL));
  OK(clFinish(queue));
  while (atomic_load(&done) == 0) continue;
  OK(clFinish(other));
  RELEASE(event, other);
}

int main(void) {
  Open(0);
  EventNotFlushed();
  ReleaseBeforeUserEvent();
  BlockingCallInCallback();
  Close();
}
