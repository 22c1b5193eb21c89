// Queue, buffer, user event and context are released while a command is pending; the event of the
// command stays.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, &written));
  OK(clFlush(queue));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(context));
  OK(clWaitForEvents(1, &written));
  OK(clReleaseEvent(written));
}
