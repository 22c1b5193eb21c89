// Defect: The process has an address space limit, and the memory that is held leaves no room for a
// second buffer.
// Fix: The process has an address space limit, and the first buffer is released before the second
// is created.
// EXPECT warning out-of-memory clCreateBuffer CL_OUT_OF_HOST_MEMORY at HERE
// EXPECT-PARTY holder at CREATED
// EXPECT-FACT requested_bytes=536870912
#include <sys/resource.h>

#include "common/opencl.h"

// Limits the address space to what is used now and `bytes` more.
static void LeaveRoomFor(size_t bytes) {
  FILE* file = fopen("/proc/self/statm", "r");
  size_t pages = 0;
  if (!file || fscanf(file, "%zu", &pages) != 1) abort();
  fclose(file);
  const struct rlimit limit = {pages * 4096 + bytes, RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &limit) != 0) abort();
}

int main(void) {
  Open(0);
  const cl_mem_flags flags = CL_MEM_ALLOC_HOST_PTR;
  const size_t bytes = 512 << 20;
  LeaveRoomFor(bytes + bytes / 2);
  // @CREATED
  cl_mem held = MADE(clCreateBuffer(context, flags, bytes, NULL, &error));
#ifndef DEFECT
  OK(clReleaseMemObject(held));
#endif
  // @HERE
  cl_mem more = clCreateBuffer(context, flags, bytes, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(more));
#ifdef DEFECT
  OK(clReleaseMemObject(held));
#endif
  Close();
}
