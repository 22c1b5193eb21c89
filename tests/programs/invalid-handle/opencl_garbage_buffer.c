// Defect: A buffer handle that was never created is read.
// Fix: The handle comes from clCreateBuffer.
// EXPECT error invalid-handle clEnqueueReadBuffer at HERE
// EXPECT-FACT argument=buffer
// EXPECT-FACT handle=0x10
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int seven = 7;
  cl_mem made = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(seven), (void*)&seven, &error));
#ifdef DEFECT
  cl_mem buffer = (cl_mem)0x10;
#else
  cl_mem buffer = made;
#endif
  cl_int value = 0;
  // @HERE
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(value), &value, 0, NULL, NULL);
  CLOSE(made);
}
