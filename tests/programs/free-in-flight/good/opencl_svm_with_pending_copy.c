// Shared virtual memory is freed when the command that reads it has ended.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL));
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, data, shared, sizeof(data), 1, &gate, NULL));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  clSVMFree(context, shared);
  OK(clReleaseEvent(gate));
  Close();
}
