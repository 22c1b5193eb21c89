// Defect: A buffer itself is passed as the pointer to the value of a kernel argument.
// Fix: The address of the variable that holds the buffer is passed.
// EXPECT error invalid-handle clSetKernelArg at HERE
// EXPECT-TEXT itself, not the address
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel("kernel void clear(global int* values) { *values = 0; }", "clear");
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &error));
#ifdef DEFECT
  // @HERE
  clSetKernelArg(kernel, 0, sizeof(buffer), buffer);
#else
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
#endif
  CLOSE(kernel, buffer);
}
