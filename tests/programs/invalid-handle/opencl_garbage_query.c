// Defect: The size of a buffer is asked through a pointer to the host's data.
// Fix: The size is asked through the handle of the buffer.
// EXPECT error invalid-handle clGetMemObjectInfo at HERE
// EXPECT-FACT argument=memobj
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  static float data[1024];
  memset(data, 0x3f, sizeof(data));
#ifdef DEFECT
  cl_mem asked = (cl_mem)(void*)data;
#else
  cl_mem asked = buffer;
#endif
  size_t bytes = 0;
  // @HERE
  clGetMemObjectInfo(asked, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  CLOSE(buffer);
}
