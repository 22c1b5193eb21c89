// The memory of CL_MEM_USE_HOST_PTR buffers is the source and the destination of transfers that the
// queue orders, or that only read, and it is freed when the destructor callback or an event says
// that no command uses it.
#include <unistd.h>

#include "common/opencl.h"

static volatile int destroyed;

static void CL_CALLBACK OnDestroyed(cl_mem buffer, void* data) {
  (void)buffer;
  (void)data;
  destroyed = 1;
}

int main(void) {
  Open(0);
  cl_command_queue second = NewQueue(0);
  char *data = aligned_alloc(4096, 4096), *last = aligned_alloc(4096, 4096);
  memset(data, 1, 4096);
  memset(last, 1, 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
  cl_mem other = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int two = 2;
  // In order: the fill is complete when the write begins, and the read when the copy begins.
  OK(clEnqueueFillBuffer(queue, buffer, &two, sizeof(two), 0, 4096, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, other, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, other, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  // Two queues that only read the memory.
  cl_mem more = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 4096, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(second, more, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  cl_event done;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &done));
  OK(clFinish(second));
  OK(clReleaseMemObject(buffer));
  OK(clWaitForEvents(1, &done));
  OK(clReleaseEvent(done));
  free(data);
  // The callback comes when the last command is complete.
  cl_mem late = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, last, &error));
  OK(clSetMemObjectDestructorCallback(late, OnDestroyed, NULL));
  OK(clEnqueueFillBuffer(queue, late, &two, sizeof(two), 0, 4096, 0, NULL, NULL));
  OK(clReleaseMemObject(late));
  OK(clFlush(queue));
  while (!destroyed) usleep(1000);
  free(last);
  OK(clFinish(queue));
  CLOSE(more, other, second);
}
