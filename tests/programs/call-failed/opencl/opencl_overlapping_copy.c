// Defect: A buffer is copied onto itself, and the two parts overlap.
// Fix: A buffer is copied onto itself, and the two parts are apart.
// EXPECT warning call-failed clEnqueueCopyBuffer CL_MEM_COPY_OVERLAP at HERE
// EXPECT-TEXT dst_offset is 1024, and the 2048 B from there overlap those from src_offset 0
// EXPECT-TEXT pass ranges that do not overlap to clEnqueueCopyBuffer
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  const size_t offset = 1024;
#else
  const size_t offset = 2048;
#endif
  // @HERE
  clEnqueueCopyBuffer(queue, buffer, buffer, 0, offset, 2048, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(buffer);
}
