// Rectangles with origins and pitches on both sides that end exactly with buffer and host block.
#include "common/opencl.h"

int main(void) {
  Open(0);
  // Device: 16 rows of 64 bytes. Host: 16 rows of 48 bytes, without the gap behind the last one.
  enum { rows = 16, host_bytes = (rows - 1) * 128 + 64 };
  char* data = malloc(host_bytes);
  memset(data, 'r', host_bytes);
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, rows * 64, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, rows * 64, 0, NULL, NULL));
  const size_t at[3] = {16, 0, 0};
  const size_t region[3] = {48, rows, 1};
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, at, at, region, 64, 0, 128, 0, data, 0, NULL,
                              NULL));
  OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, at, at, region, 64, 0, 128, 0, data, 0, NULL,
                             NULL));
  printf("%c\n", data[host_bytes - 1]);
  free(data);
  CLOSE(buffer);
}
