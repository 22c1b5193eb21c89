// A buffer is retained as often as it is released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clRetainMemObject(buffer));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(buffer));
  Close();
}
