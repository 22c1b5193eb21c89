// Defect: The host block of a CL_MEM_USE_HOST_PTR buffer is freed while the buffer exists, with and
// without commands that use it.
// Fix: The block is freed after the release of the buffer.
#include "common/opencl.h"

// Defect: The host block that a live buffer uses as its memory is freed.
// Fix: The host block that a buffer uses as its memory is freed after the buffer was released.
// EXPECT warning host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY allocation at CREATED
static void UseHostPtr(void) {
  // @BLOCK
  char* data = aligned_alloc(4096, 8192);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  // @HERE
  free(data);
#ifdef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
}

// Defect: The host block of a buffer is freed before the buffer is released, when no command uses it any more.
// Fix: The block is freed after the release.
// EXPECT warning host-free-in-flight free at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void FreedBeforeRelease(void) {
  char* data = aligned_alloc(4096, 8192);
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  const cl_int one = 1;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
#ifdef DEFECT
  // @HERE_2
  free(data);
#endif
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  free(data);
#endif
}

int main(void) {
  Open(0);
  UseHostPtr();
  FreedBeforeRelease();
  Close();
}
