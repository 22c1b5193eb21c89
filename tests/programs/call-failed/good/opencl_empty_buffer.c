// A buffer of a few bytes is asked for, without flags.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = clCreateBuffer(context, 0, 16, NULL, &error);
  if (buffer != NULL) OK(clReleaseMemObject(buffer));
  Close();
}
