// Defect: The host writes a buffer that it declared only to read.
// Fix: The host writes a buffer that it may read and write.
// EXPECT error host-access-flag clEnqueueWriteBuffer CL_INVALID_OPERATION at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT CL_MEM_HOST_READ_ONLY
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int data[256];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  CLOSE(buffer);
}
