// Defect: Reads, writes and sub-buffers reach past the end of their buffers.
// Fix: They end with the buffer.
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

// Defect: More bytes are written than the buffer was created with: a kilobyte was forgotten.
// Fix: As many bytes are written as the buffer was created with.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at HERE_3
// EXPECT-PARTY allocation at CREATED_3
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
  // @CREATED_3
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error));
  // @HERE_3
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: A write ends past the end of a sub-buffer, though inside its parent.
// Fix: The write ends where the sub-buffer ends.
// EXPECT error copy-out-of-bounds clEnqueueWriteBuffer at HERE_4
// EXPECT-PARTY allocation at CREATED_4
// EXPECT-FACT size_bytes=2048
// EXPECT-FACT resource_bytes=1024
static void WriteSubBuffer(void) {
  static char data[4096];
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
  const cl_buffer_region region = {1024, 1024};
  // @CREATED_4
  cl_mem part = MADE(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
#ifdef DEFECT
  const size_t bytes = 2048;
#else
  const size_t bytes = 1024;
#endif
  // @HERE_4
  clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  RELEASE(part, parent);
}

// Defect: A sub-buffer that is longer than what is left of its parent.
// Fix: A sub-buffer that ends with its parent.
// EXPECT error copy-out-of-bounds clCreateSubBuffer CL_INVALID_VALUE at HERE_5
// EXPECT-PARTY allocation at CREATED_5
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
static void SubBufferPastParent(void) {
  // @CREATED_5
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, 4096};
#else
  const cl_buffer_region part = {2048, 2048};
#endif
  // @HERE_5
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

// Defect: The size of a sub-buffer is the result of a subtraction below 0, so that origin + size wraps around.
// Fix: The size is what is left of the parent.
// EXPECT error copy-out-of-bounds clCreateSubBuffer at HERE_6
// EXPECT-PARTY allocation at CREATED_6
// EXPECT-TEXT wraps around
static void SubBufferWrapsAround(void) {
  // @CREATED_6
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, (size_t)1024 - 2048};
#else
  const cl_buffer_region part = {2048, 1024};
#endif
  // @HERE_6
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

int main(void) {
  Open(0);
  OffsetWrapsAround();
  ReadAtOffset();
  Write();
  WriteSubBuffer();
  SubBufferPastParent();
  SubBufferWrapsAround();
  Close();
}
