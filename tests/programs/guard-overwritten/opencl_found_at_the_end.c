// Defect: A kernel writes behind a buffer that the program never releases. The buffer is still checked when the process ends.
// Fix: The kernel writes inside of the buffer, and the program releases it.
// OPTION --guard
// OPTION --no-leaks
// EXIT any
// EXPECT error guard-overwritten - at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT changed_bytes=2
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
#ifdef DEFECT
  cl_int indices[2] = {1001, 1003};
#else
  cl_int indices[2] = {1, 3};
#endif
  const cl_int count = 2;
  // @CREATE
  cl_mem bytes = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 1001, NULL, &error));
  cl_mem where = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(indices), indices, &error));
  OK(clSetKernelArg(store, 0, sizeof(bytes), &bytes));
  OK(clSetKernelArg(store, 1, sizeof(where), &where));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  cl_event done;
  // @LAUNCH
  OK(clEnqueueTask(queue, store, 0, NULL, &done));
  OK(clWaitForEvents(1, &done));
#ifndef DEFECT
  CLOSE(done, where, store, bytes);
#endif
}
