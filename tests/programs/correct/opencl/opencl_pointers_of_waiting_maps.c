// Commands use the pointers of maps that wait for a user event: behind the map in its queue, behind its event in another
// queue, and behind a barrier.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to[3];
  for (int i = 0; i < 3; ++i) to[i] = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
  cl_event start = MADE(clCreateUserEvent(context, &error));
  cl_event mapped;
  char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 1, &start, &mapped, &error));
  OK(clEnqueueWriteBuffer(queue, to[0], CL_FALSE, 0, 8192, data, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(other, to[1], CL_FALSE, 0, 8192, data, 1, &mapped, NULL));
  OK(clEnqueueBarrierWithWaitList(other, 1, &mapped, NULL));
  OK(clEnqueueWriteBuffer(other, to[2], CL_FALSE, 0, 8192, data, 0, NULL, NULL));
  OK(clFlush(queue));
  OK(clFlush(other));
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(other));
  OK(clFinish(queue));
  OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseEvent(mapped));
  OK(clReleaseEvent(start));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(to[i]));
  CLOSE(from, other);
}
