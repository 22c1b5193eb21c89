// Rectangles are copied within one buffer: a pitch of 0 and its value are the same, and a single row has no pitch.
#include "common/opencl.h"

int main(void) {
  Open(0);
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
  CLOSE(other, buffer);
}
