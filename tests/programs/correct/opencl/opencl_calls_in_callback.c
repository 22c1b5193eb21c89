// The callback of an event enqueues a command, flushes, sets a user event and asks for times; it does not block.
#include <stdatomic.h>
#include "common/opencl.h"

static cl_mem buffer;
static cl_event next;
static atomic_int done;

static void CL_CALLBACK OnComplete(cl_event event, cl_int status, void* data) {
  (void)status, (void)data;
  static const cl_int two = 2;
  cl_ulong end = 0;
  OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(two), &two, 0, NULL, NULL));
  OK(clFlush(queue));
  OK(clSetUserEventStatus(next, CL_COMPLETE));
  atomic_store(&done, 1);
}

int main(void) {
  Open(CL_QUEUE_PROFILING_ENABLE);
  const cl_int one = 1;
  buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  next = MADE(clCreateUserEvent(context, &error));
  cl_event filled;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 4096, 0, NULL, &filled));
  OK(clSetEventCallback(filled, CL_COMPLETE, OnComplete, NULL));
  OK(clFlush(queue));
  OK(clWaitForEvents(1, &next));
  while (atomic_load(&done) == 0) continue;
  OK(clFinish(queue));
  CLOSE(filled, next, buffer);
}
