// Copies of rectangles, within one buffer and between host and buffer.
#include "common/opencl.h"

// Rectangles are copied within one buffer: a pitch of 0 and its value are the same, and a single row has no pitch.
static void RectCopiesWithinBuffer(void) {
  const cl_int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64 * 64, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 64 * 64, 0, NULL, NULL));
  const size_t from[3] = {0, 0, 0}, to[3] = {0, 32, 0}, region[3] = {64, 8, 1};
  clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 64, 64 * 8, 64, 64 * 8, 0, NULL, NULL);
  OK(clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 0, 0, 0, 0, 0, NULL, NULL));
  // Two buffers have pitches of their own.
  cl_mem other = MADE(clCreateBuffer(context, 0, 64 * 64, NULL, &error));
  const size_t small[3] = {16, 8, 1};
  OK(clEnqueueCopyBufferRect(queue, buffer, other, from, from, small, 64, 0, 16, 0, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(other, buffer);
}

// Rectangles with origins and pitches on both sides that end exactly with buffer and host block.
static void RectToTheLastByte(void) {
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
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  RectCopiesWithinBuffer();
  RectToTheLastByte();
  Close();
}
