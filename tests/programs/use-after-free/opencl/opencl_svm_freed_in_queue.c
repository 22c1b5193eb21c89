// Defect: A command uses shared virtual memory that an earlier command of the queue frees.
// Fix: The memory is freed behind the last command that uses it.
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
// EXPECT-PARTY release at FREED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, 8192, 0, NULL, NULL));
  memset(memory, 1, 8192);
  OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
#ifdef DEFECT
  // @FREED
  OK(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
#endif
  // @HERE
  clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, 8192, memory, 0, NULL, NULL);
#ifndef DEFECT
  OK(clEnqueueSVMFree(queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(to);
}
