// Defect: A rectangle beside the written one is downloaded.
// Fix: The rectangle is downloaded that was written.
// EXPECT warning uninitialized-read clEnqueueReadBufferRect at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[32 * 16];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64 * 16, NULL, &error));
  const size_t written[3] = {0, 0, 0}, region[3] = {32, 16, 1};
#ifdef DEFECT
  const size_t read[3] = {32, 0, 0};
#else
  const size_t read[3] = {0, 0, 0};
#endif
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, written, kOrigin, region, 64, 0, 32, 0, data,
                              0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, read, kOrigin, region, 64, 0, 32, 0, data, 0,
                             NULL, NULL));
  CLOSE(buffer);
}
