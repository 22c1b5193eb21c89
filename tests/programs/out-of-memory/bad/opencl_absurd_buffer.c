// A buffer is asked for that is larger than the device's memory.
// EXPECT warning out-of-memory clCreateBuffer CL_INVALID_BUFFER_SIZE at HERE
// EXPECT-FACT requested_bytes=1099511627776
#include "common/opencl.h"

int main(void) {
  Open(0);
  const size_t bytes = (size_t)1 << 40;
  // @HERE
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
