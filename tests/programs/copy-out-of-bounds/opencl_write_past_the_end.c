// Defect: Writes reach past the end of a buffer and of a sub-buffer.
// Fix: The writes end with the buffer.
#include "common/opencl.h"

// Defect: More bytes are written than the buffer was created with: a kilobyte was forgotten.
// Fix: As many bytes are written as the buffer was created with.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=0
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=3072
static void Write(void) {
  enum { n = 1024 };
  static float data[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: A write ends past the end of a sub-buffer, though inside its parent.
// Fix: The write ends where the sub-buffer ends.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=1024
static void WriteSubBuffer(void) {
  static char data[4096];
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const cl_buffer_region region = {1024, 1024};
  // @CREATED_2
  cl_mem part = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
#ifdef DEFECT
  const size_t bytes = 2048;
#else
  const size_t bytes = 1024;
#endif
  // @HERE_2
  clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  RELEASE(part, parent);
}

int main(void) {
  Open(0);
  Write();
  WriteSubBuffer();
  Close();
}
