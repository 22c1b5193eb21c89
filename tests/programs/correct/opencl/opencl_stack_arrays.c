// Host memory on the stack, in ever deeper and shallower frames, for transfers that block.
#include "common/opencl.h"

static void RoundTrip(cl_mem buffer, int depth) {
  char data[2048 + 64 * 16];
  memset(data, 'a' + depth, sizeof(data));
  const size_t bytes = 2048 + 64 * (size_t)depth;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  printf("%c", data[bytes - 1]);
  if (depth < 16) RoundTrip(buffer, depth + 1);
}

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  RoundTrip(buffer, 0);
  RoundTrip(buffer, 8);
  printf("\n");
  CLOSE(buffer);
}
