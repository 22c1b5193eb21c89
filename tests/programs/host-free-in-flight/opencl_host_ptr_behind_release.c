// Defect: The memory of a buffer is freed after the buffer's release while a command that was
// enqueued before still uses it.
// Fix: The program waits for the command before the free.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at FILL
// EXPECT-PARTY host-block at BLOCK
// EXPECT error sync-object-misuse clReleaseMemObject at RELEASE
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @BLOCK
  char* data = aligned_alloc(4096, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  const cl_int zero = 0;
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @FILL
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 8192, 1, &gate, NULL));
  // @RELEASE
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  OK(clFinish(queue));
#endif
  // @HERE
  free(data);
#ifdef DEFECT
  _Exit(0);
#endif
  CLOSE(gate);
}
