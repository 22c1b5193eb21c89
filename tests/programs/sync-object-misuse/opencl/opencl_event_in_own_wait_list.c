// Defect: A command writes its event into the variable that is its wait list.
// Fix: Each command has a variable for its event.
// EXPECT warning sync-object-misuse clEnqueueCopyBuffer at HERE
// MAY leak
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  cl_event events[2];
  OK(clEnqueueWriteBuffer(queue, from, CL_FALSE, 0, sizeof(data), data, 0, NULL, &events[0]));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, sizeof(data), 1, &events[0], &events[0]));
#else
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, sizeof(data), 1, &events[0], &events[1]));
  OK(clReleaseEvent(events[1]));
#endif
  OK(clFinish(queue));
  CLOSE(events[0], from, to);
}
