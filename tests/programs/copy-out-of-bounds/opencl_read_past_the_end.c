// Defect: Reads of a buffer reach past its end: by an offset whose sum with the size wraps around,
// and by a size that is that of the whole buffer.
// Fix: The reads end with the buffer.
#include "common/opencl.h"

// Defect: A negative offset: offset plus size wraps around and looks small.
// Fix: The offset is not negative.
// EXPECT error copy-out-of-bounds clEnqueueReadBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=18446744073709551600
// EXPECT-FACT size_bytes=32
// EXPECT-FACT resource_bytes=4096
static void OffsetWrapsAround(void) {
  static char data[4096];
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  const size_t offset = (size_t)-16;
#else
  const size_t offset = 16;
#endif
  // @HERE
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, 32, data, 0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: The offset of a read is right and its size is that of the whole buffer.
// Fix: The size is that of the second half.
// EXPECT error copy-out-of-bounds clEnqueueReadBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
static void ReadAtOffset(void) {
  static char data[4096];
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, data, &error));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4096 - 2048;
#endif
  // @HERE_2
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 2048, bytes, data, 0, NULL, NULL);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  OffsetWrapsAround();
  ReadAtOffset();
  Close();
}
