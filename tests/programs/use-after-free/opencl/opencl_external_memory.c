// Defect: A buffer is released to another interface after clReleaseMemObject.
// Fix: The buffer is released after that. The program may read what the other interface wrote.
// EXPECT error use-after-free clEnqueueReleaseExternalMemObjectsKHR at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clEnqueueAcquireExternalMemObjectsKHR);
  LOAD(clEnqueueReleaseExternalMemObjectsKHR);
  static char data[1024];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(load_clEnqueueAcquireExternalMemObjectsKHR(queue, 1, &buffer, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
#ifdef DEFECT
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#endif
  // @HERE
  load_clEnqueueReleaseExternalMemObjectsKHR(queue, 1, &buffer, 0, NULL, NULL);
  OK(clFinish(queue));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
