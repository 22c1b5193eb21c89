// Defect: A sub-buffer is created from a sub-buffer.
// Fix: The second sub-buffer is created from the buffer itself.
// EXPECT warning call-failed clCreateSubBuffer CL_INVALID_MEM_OBJECT at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region half = {0, 2048}, quarter = {0, 1024};
  cl_mem first = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
#ifdef DEFECT
  cl_mem parent = first;
#else
  cl_mem parent = buffer;
#endif
  // @HERE
  cl_mem second = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &quarter, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(second));
  CLOSE(first, buffer);
}
