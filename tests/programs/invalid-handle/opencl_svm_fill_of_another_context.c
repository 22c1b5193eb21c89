// Defect: Shared virtual memory is filled through the queue of another context, where drivers crash.
// Fix: The queue is of the context of the memory.
// EXPECT error invalid-handle clEnqueueSVMMemFill at FILL
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=svm_ptr
// EXPECT-TEXT another context
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  const int seven = 7;
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  cl_context owner = other;
#else
  cl_context owner = context;
#endif
  // @CREATED
  int* shared = clSVMAlloc(owner, CL_MEM_READ_WRITE, 1024, 0);
  // @FILL
  clEnqueueSVMMemFill(queue, shared, &seven, sizeof(seven), 1024, 0, NULL, NULL);
  clFinish(queue);
  clSVMFree(owner, shared);
  OK(clReleaseContext(other));
  Close();
}
