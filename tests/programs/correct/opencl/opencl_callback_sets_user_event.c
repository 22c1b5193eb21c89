// The callback of one command sets the user event that another queue's command waits for.
#include <sched.h>
#include <stdatomic.h>

#include "common/opencl.h"

static atomic_int set;

static void CL_CALLBACK SetNext(cl_event event, cl_int status, void* next) {
  (void)event;
  OK(clSetUserEventStatus((cl_event)next, status));
  atomic_store(&set, 1);
}

int main(void) {
  Open(0);
  cl_command_queue second = NewQueue(0);
  static int result[1024];
  const cl_int one = 1;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event next = MADE(clCreateUserEvent(context, &error));
  cl_event filled, read;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, &filled));
  OK(clSetEventCallback(filled, CL_COMPLETE, SetNext, next));
  OK(clEnqueueReadBuffer(second, buffer, CL_FALSE, 0, sizeof(result), result, 1, &next, &read));
  OK(clFlush(queue));
  OK(clWaitForEvents(1, &read));
  printf("%d\n", result[1023]);
  OK(clFinish(queue));
  // What waits may go on before the call that sets the event has returned, which still uses it.
  while (!atomic_load(&set)) sched_yield();
  CLOSE(read, filled, next, buffer, second);
}
