// Defect: A buffer is copied that nothing has written.
// Fix: A buffer is copied that was created with data.
// EXPECT warning uninitialized-read clEnqueueCopyBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
#ifdef DEFECT
  // @CREATED
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#else
  cl_mem from = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
#endif
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  // @HERE
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, sizeof(data), 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(to, from);
}
