// Defect: The first number of a region of a buffer counts elements instead of bytes, so that three
// quarters of each row are not written. The whole buffer is read.
// Fix: It counts bytes.
// EXPECT warning uninitialized-read clEnqueueReadBuffer at HERE
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT written_bytes=1024
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kWidth = 64, kHeight = 16 };
  static cl_float values[kHeight][kWidth];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(values), NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {kWidth, kHeight, 1};
#else
  const size_t region[3] = {kWidth * sizeof(cl_float), kHeight, 1};
#endif
  const size_t pitch = sizeof(values[0]);
  OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, pitch, 0, pitch, 0,
                              values, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  CLOSE(buffer);
}
