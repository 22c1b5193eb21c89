// Defect: A write reads from NULL, and a copy of shared memory writes to NULL.
// Fix: The pointers are valid.
#include "common/opencl.h"

// Defect: A buffer is written from NULL.
// Fix: A buffer is written from an array.
// EXPECT error invalid-pointer clEnqueueWriteBuffer at HERE
static void NullHostPointer(void) {
  static char array[1024];
#ifdef DEFECT
  const char* data = NULL;
#else
  const char* data = array;
#endif
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(array), NULL, &error));
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(array), data, 0, NULL, NULL);
  RELEASE(buffer);
}

// Defect: Shared virtual memory is copied to NULL: the program never allocated the target.
// Fix: Shared virtual memory is copied to the host.
// EXPECT error invalid-pointer clEnqueueSVMMemcpy at HERE_2
static void SvmCopyToNull(void) {
  static char array[1024];
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(array), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, array, sizeof(array), 0, NULL, NULL));
#ifdef DEFECT
  char* result = NULL;
#else
  char* result = array;
#endif
  // @HERE_2
  clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, sizeof(array), 0, NULL, NULL);
  clSVMFree(context, shared);
}

int main(void) {
  Open(0);
  NullHostPointer();
  SvmCopyToNull();
  Close();
}
