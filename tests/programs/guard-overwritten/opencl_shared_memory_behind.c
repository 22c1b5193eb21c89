// Defect: A kernel writes three bytes behind a block of shared virtual memory.
// Fix: It writes inside of the block.
// OPTION --guard
// EXIT any
// EXPECT error guard-overwritten clSVMFree at FREE
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=behind
// EXPECT-FACT nearest_bytes=2
// EXPECT-FACT changed_bytes=3
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
#ifdef DEFECT
  cl_int indices[3] = {502, 503, 504};
#else
  cl_int indices[3] = {497, 498, 499};
#endif
  const cl_int count = 3;
  // @CREATE
  cl_uchar* bytes = clSVMAlloc(context, CL_MEM_READ_WRITE, 500, 0);
  cl_mem where = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(indices), indices, &error));
  OK(clSetKernelArgSVMPointer(store, 0, bytes));
  OK(clSetKernelArg(store, 1, sizeof(where), &where));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  cl_event done;
  // @LAUNCH
  OK(clEnqueueTask(queue, store, 0, NULL, &done));
  OK(clWaitForEvents(1, &done));
  OK(clReleaseEvent(done));
  OK(clReleaseMemObject(where));
  OK(clReleaseKernel(store));
  // @FREE
  clSVMFree(context, bytes);
  Close();
}
