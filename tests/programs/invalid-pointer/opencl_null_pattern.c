// Defect: Shared memory is filled with a pattern whose pointer is NULL.
// Fix: The pointer of the pattern names the pattern.
// EXPECT error invalid-pointer clEnqueueSVMMemFill at HERE
// EXPECT-FACT argument=pattern
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int seven = 7;
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  if (memory == NULL) abort();
#ifdef DEFECT
  const void* pattern = NULL;
#else
  const void* pattern = &seven;
#endif
  // @HERE
  clEnqueueSVMMemFill(queue, memory, pattern, sizeof(seven), 4096, 0, NULL, NULL);
  OK(clFinish(queue));
  clSVMFree(context, memory);
  Close();
}
