// Defect: A rectangle is copied within one buffer, and the row pitches of its source and target differ.
// Fix: Both have the row pitch of the buffer.
// EXPECT error pitch-invalid clEnqueueCopyBufferRect at HERE
// EXPECT-TEXT one buffer
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64 * 64, NULL, &error));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 64 * 64, 0, NULL, NULL));
  const size_t from[3] = {0, 0, 0}, to[3] = {0, 32, 0}, region[3] = {16, 8, 1};
#ifdef DEFECT
  const size_t target_pitch = 32;
#else
  const size_t target_pitch = 64;
#endif
  // @HERE
  clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, 64, 0, target_pitch, 0, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(buffer);
}
