// Defect: A read writes its result over a constant array of the program.
// Fix: The array is not const.
// EXPECT error invalid-pointer clEnqueueReadBuffer at HERE
// EXIT any
#include "common/opencl.h"

#ifdef DEFECT
static const int kTable[1024] = {1, 2, 3};
#else
static int kTable[1024] = {1, 2, 3};
#endif

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(kTable), (void*)kTable, &error));
  // @HERE
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(kTable), (void*)kTable, 0, NULL, NULL));
  CLOSE(buffer);
}
