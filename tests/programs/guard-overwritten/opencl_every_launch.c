// Defect: The second of three launches of a kernel writes 40 bytes behind its buffer.
// Fix: It writes inside of the buffer.
// OPTION --guard
// OPTION --guard-every-launch
// EXIT any
// EXPECT error guard-overwritten clEnqueueNDRangeKernel at SECOND
// EXPECT-PARTY likely-writer at SECOND
// EXPECT-FACT nearest_bytes=40
// EXPECT-FACT changed_bytes=1
// EXPECT-FACT suspects=1
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
  cl_int indices[3] = {1, 2, 3};
#ifdef DEFECT
  indices[1] = 1024 + 40;
#endif
  const cl_int count = 1;
  const size_t one = 1;
  cl_mem bytes = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 1024, NULL, &error));
  cl_mem where[3];
  for (int i = 0; i < 3; ++i)
    where[i] = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(cl_int), &indices[i], &error));
  OK(clSetKernelArg(store, 0, sizeof(bytes), &bytes));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  OK(clSetKernelArg(store, 1, sizeof(cl_mem), &where[0]));
  OK(clEnqueueNDRangeKernel(queue, store, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(store, 1, sizeof(cl_mem), &where[1]));
  // @SECOND
  OK(clEnqueueNDRangeKernel(queue, store, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(store, 1, sizeof(cl_mem), &where[2]));
  OK(clEnqueueNDRangeKernel(queue, store, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(where[i]));
  CLOSE(bytes, store);
}
