// Defect: A semaphore is signalled by one queue, and the other does not wait for it.
// Fix: A semaphore is signalled by one queue, and the other waits for it.
// EXPECT error race clEnqueueReadBuffer at READ
// EXPECT-PARTY pending-command at WRITE
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateSemaphoreWithPropertiesKHR);
  LOAD(clEnqueueSignalSemaphoresKHR);
  LOAD(clEnqueueWaitSemaphoresKHR);
  LOAD(clReleaseSemaphoreKHR);
  const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                0};
  cl_semaphore_khr semaphore =
      MADE(load_clCreateSemaphoreWithPropertiesKHR(context, binary, &error));
  cl_command_queue other = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  static char in[4096], out[4096];
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4096, in, 0, NULL, NULL));
  OK(load_clEnqueueSignalSemaphoresKHR(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  OK(clFlush(queue));
#ifndef DEFECT
  OK(load_clEnqueueWaitSemaphoresKHR(other, 1, &semaphore, NULL, 0, NULL, NULL));
#endif
  // @READ
  OK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4096, out, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(load_clReleaseSemaphoreKHR(semaphore));
  CLOSE(buffer, other);
}
