// A second sub-buffer is made of the buffer itself.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_buffer_region half = {0, 2048}, quarter = {0, 1024};
  cl_mem first = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
  cl_mem parent = buffer;
  cl_mem second = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &quarter, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(second));
  OK(clReleaseMemObject(first));
  OK(clReleaseMemObject(buffer));
  Close();
}
