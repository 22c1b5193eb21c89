// Defect: The size of a buffer is asked after the buffer was released.
// Fix: The size is asked before.
// EXPECT error use-after-free clGetMemObjectInfo at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=memobj
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  size_t bytes = 0;
#ifdef DEFECT
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#endif
  // @HERE
  clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  Close();
}
