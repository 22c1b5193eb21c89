// Defect: Shared virtual memory is freed while a command uses a buffer that was created over it.
// Fix: The memory is freed after the buffer was released.
// EXPECT error host-free-in-flight clSVMFree at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
// MAY free-in-flight
#include "common/opencl.h"

int main(void) {
  Open(0);
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, memory, &error));
  const cl_int one = 1;
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 8192, 1, &start, NULL));
#ifdef DEFECT
  // @HERE
  clSVMFree(context, memory);
#endif
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(start));
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  clSVMFree(context, memory);
#endif
  Close();
}
