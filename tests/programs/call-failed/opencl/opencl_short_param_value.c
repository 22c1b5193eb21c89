// Defect: A query for a number of 64 bits gets room for one of 32 bits, and the program uses the variable that the call
// leaves unset.
// Fix: The variable has the type that the specification names.
// EXPECT warning call-failed clGetMemObjectInfo CL_INVALID_VALUE at HERE
// EXPECT-TEXT param_value_size is 4, but the value has 8 bytes
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  cl_uint bytes = 0;
#else
  size_t bytes = 0;
#endif
  // @HERE
  clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  CLOSE(buffer);
}
