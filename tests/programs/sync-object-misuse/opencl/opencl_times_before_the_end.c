// Defect: The program asks for the times of a command that has not ended, does not look at the
// results, and uses times that it did not get.
// Fix: It waits for the command before.
// EXPECT warning sync-object-misuse clGetEventProfilingInfo at HERE
// EXPECT-FACT queries=1
// EXPECT-TEXT clWaitForEvents
#include "common/opencl.h"

// Asks until the time is there.
static cl_ulong Poll(cl_event event) {
  cl_ulong end = 0;
  while (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL) !=
         CL_SUCCESS) {
  }
  return end;
}

// Asks once for the time of a command with another one behind it, and does without.
static void AskForAnEarlierRound(cl_mem buffer) {
  const cl_int zero = 0;
  cl_ulong end = 0;
  cl_event filled, gate = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 1, &gate, &filled));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, NULL));
  if (clGetEventProfilingInfo(filled, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL) ==
      CL_SUCCESS)
    exit(1);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  RELEASE(filled, gate);
}

int main(void) {
  Open(CL_QUEUE_PROFILING_ENABLE);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int zero = 0;
  cl_event polled, filled, gate = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 0, NULL, &polled));
  OK(clFlush(queue));
  const cl_ulong before = Poll(polled);
  AskForAnEarlierRound(buffer);
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 4096, 1, &gate, &filled));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &filled));
#endif
  cl_ulong begin = before, end = before;
  // @HERE
  clGetEventProfilingInfo(filled, CL_PROFILING_COMMAND_START, sizeof(begin), &begin, NULL);
  clGetEventProfilingInfo(filled, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(polled, filled, gate, buffer);
}
