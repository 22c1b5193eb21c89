// A program finds out by clCreatePipe whether the device has pipes.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem pipe = clCreatePipe(context, 0, 4, 16, NULL, &error);
  if (pipe != NULL) OK(clReleaseMemObject(pipe));
  Close();
}
