// Defect: The row pitch of the host is less than the width of the rectangle.
// Fix: The row pitch is the width of the rectangle.
// EXPECT error pitch-invalid clEnqueueWriteBufferRect at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT row_pitch=32
// EXPECT-FACT row_bytes=64
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {64, 16, 1};
#ifdef DEFECT
  const size_t pitch = 32;
#else
  const size_t pitch = 64;
#endif
  // @HERE
  clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, kOrigin, kOrigin, region, 128, 0, pitch, 0, data,
                           0, NULL, NULL);
  CLOSE(buffer);
}
