// Defect: A rectangle is read to a pointer that was never set to a block: an index was stored into it.
// Fix: The pointer is that of an array.
// EXPECT error invalid-pointer clEnqueueReadBufferRect at HERE
// EXIT any
#include "common/opencl.h"

static char rows[16][64];

int main(void) {
  Open(0);
  const int pattern = 7;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(rows), NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof(pattern), 0, sizeof(rows), 0, NULL, NULL));
#ifdef DEFECT
  void* to = (void*)(uintptr_t)0x30;
#else
  void* to = rows;
#endif
  const size_t origin[3] = {0, 0, 0}, region[3] = {32, 16, 1};
  // @HERE
  OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 64, 0, 64, 0, to, 0, NULL, NULL));
  CLOSE(buffer);
}
