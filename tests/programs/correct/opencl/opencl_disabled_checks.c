// What is wrong here is of checks that are switched off; nothing is said of it.
// OPTION --disable=host-access-flag,leak
#include "common/opencl.h"

int main(void) {
  Open(0);
  const unsigned char data[64] = {1};
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, sizeof(data), NULL, &error));
  FAILS(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  CLOSE(buffer);
}
