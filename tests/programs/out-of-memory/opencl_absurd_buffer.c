// Defect: The program creates a buffer that is larger than the device's memory.
// Fix: The device has room for the buffer.
// EXPECT warning out-of-memory clCreateBuffer CL_INVALID_BUFFER_SIZE at HERE
// EXPECT-TEXT size 1099511627776 is more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, \d+; no amount
// EXPECT-FACT requested_bytes=1099511627776
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 40;
#else
  const size_t bytes = (size_t)1 << 10;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
  Close();
}
