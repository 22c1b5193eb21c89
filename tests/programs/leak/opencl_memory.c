// Defect: Shared virtual memory is never freed, and a buffer is retained once more than it is
// released.
// Fix: The memory is freed, and each reference is released.
#include "common/opencl.h"

// Defect: Shared virtual memory is never freed.
// Fix: Shared virtual memory is freed.
// EXPECT error leak clSVMAlloc at CREATED
static void Svm(void) {
  // @CREATED
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
#ifndef DEFECT
  clSVMFree(context, shared);
#endif
}

// Defect: A buffer is retained once more than it is released.
// Fix: A buffer is retained as often as it is released.
// EXPECT error leak clCreateBuffer at CREATED_2
// EXPECT-PARTY holder at RETAINED
static void RetainedBuffer(void) {
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @RETAINED
  OK(clRetainMemObject(buffer));
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
}

int main(void) {
  Open(0);
  Svm();
  RetainedBuffer();
  Close();
}
