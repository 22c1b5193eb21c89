// Defect: Sub-buffers reach past the end of their buffer.
// Fix: The sub-buffers are inside of the buffer.
#include "common/opencl.h"

// Defect: A sub-buffer that is longer than what is left of its parent.
// Fix: A sub-buffer that ends with its parent.
// EXPECT error copy-out-of-bounds clCreateSubBuffer CL_INVALID_VALUE at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
// EXPECT-FACT resource_bytes=4096
static void SubBufferPastParent(void) {
  // @CREATED
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, 4096};
#else
  const cl_buffer_region part = {2048, 2048};
#endif
  // @HERE
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

// Defect: The size of a sub-buffer is the result of a subtraction below 0, so that origin + size wraps around.
// Fix: The size is what is left of the parent.
// EXPECT error copy-out-of-bounds clCreateSubBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-TEXT wraps around
static void SubBufferWrapsAround(void) {
  // @CREATED_2
  cl_mem parent = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region part = {2048, (size_t)1024 - 2048};
#else
  const cl_buffer_region part = {2048, 1024};
#endif
  // @HERE_2
  cl_mem half = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(half));
  RELEASE(parent);
}

int main(void) {
  Open(0);
  SubBufferPastParent();
  SubBufferWrapsAround();
  Close();
}
