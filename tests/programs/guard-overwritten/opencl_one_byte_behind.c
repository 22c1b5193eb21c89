// Defect: A kernel writes the byte directly behind its buffer. The index comes from memory, so the code does not say which.
// Fix: It writes the last byte of the buffer.
// OPTION --guard
// EXPECT error guard-overwritten clFinish at FINISH
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=1
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT resource_bytes=1001
// EXPECT-FACT values=00
// EXPECT-FACT kernel=store
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
#ifdef DEFECT
  cl_int index = 1001;
#else
  cl_int index = 1000;
#endif
  const cl_int count = 1;
  // @CREATE
  cl_mem bytes = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, 1001, NULL, &error));
  cl_mem where = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(index), &index, &error));
  OK(clSetKernelArg(store, 0, sizeof(bytes), &bytes));
  OK(clSetKernelArg(store, 1, sizeof(where), &where));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  // @LAUNCH
  OK(clEnqueueTask(queue, store, 0, NULL, NULL));
  // @FINISH
  OK(clFinish(queue));
  CLOSE(bytes, where, store);
}
