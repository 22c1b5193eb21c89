// Defect: A program asks for the times of a command, but its queue does not measure them.
// Fix: The queue is created with CL_QUEUE_PROFILING_ENABLE.
// EXPECT warning call-failed clGetEventProfilingInfo CL_PROFILING_INFO_NOT_AVAILABLE at HERE
// EXPECT-TEXT created without CL_QUEUE_PROFILING_ENABLE
#include "common/opencl.h"

int main(void) {
#ifdef DEFECT
  Open(0);
#else
  Open(CL_QUEUE_PROFILING_ENABLE);
#endif
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event filled;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, &filled));
  OK(clWaitForEvents(1, &filled));
  cl_ulong end = 0;
  // @HERE
  const cl_int code =
      clGetEventProfilingInfo(filled, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
#ifdef DEFECT
  if (code != CL_PROFILING_INFO_NOT_AVAILABLE) return 1;
#else
  if (code != CL_SUCCESS) return 1;
#endif
  CLOSE(filled, buffer);
}
