// A buffer is asked for that the device has room for.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const size_t bytes = (size_t)1 << 10;
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
