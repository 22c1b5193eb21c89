// A buffer is handed to another interface before its release. What that one wrote may be read.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  LOAD(clEnqueueAcquireExternalMemObjectsKHR);
  LOAD(clEnqueueReleaseExternalMemObjectsKHR);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(load_clEnqueueAcquireExternalMemObjectsKHR(queue, 1, &buffer, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  load_clEnqueueReleaseExternalMemObjectsKHR(queue, 1, &buffer, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  Close();
}
