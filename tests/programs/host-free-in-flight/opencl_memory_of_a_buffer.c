// Defect behind_the_release: The memory of a buffer is freed after the buffer's release while a
// command that was enqueued before still uses it.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at FILL
// EXPECT-PARTY host-block at BLOCK
// EXPECT error sync-object-misuse clReleaseMemObject at RELEASE
// EXIT any
// Defect of_shared_memory: Shared virtual memory is freed while a command uses a buffer that was
// created over it.
// EXPECT error host-free-in-flight clSVMFree at HERE_2
// EXPECT-PARTY allocation at CREATED
// EXIT any
// MAY free-in-flight
// Fix: The memory is freed behind the commands.
#include "common/opencl.h"

// Fix: The program waits for the command before the free.
static void BehindTheRelease(void) {
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @BLOCK
  char* data = aligned_alloc(4096, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  const cl_int zero = 0;
#ifndef DEFECT_behind_the_release
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @FILL
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 8192, 1, &gate, NULL));
  // @RELEASE
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT_behind_the_release
  OK(clFinish(queue));
#endif
  // @HERE
  free(data);
#ifdef DEFECT_behind_the_release
  _Exit(0);
#endif
  RELEASE(gate);
}

// Fix: The memory is freed after the buffer was released.
static void OfSharedMemory(void) {
  void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, memory, &error));
  const cl_int one = 1;
  cl_event start = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 8192, 1, &start, NULL));
#ifdef DEFECT_of_shared_memory
  // @HERE_2
  clSVMFree(context, memory);
#endif
  OK(clSetUserEventStatus(start, CL_COMPLETE));
  OK(clFinish(queue));
  OK(clReleaseEvent(start));
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT_of_shared_memory
  clSVMFree(context, memory);
#endif
}

int main(void) {
  Open(0);
  BehindTheRelease();
  OfSharedMemory();
  Close();
}
