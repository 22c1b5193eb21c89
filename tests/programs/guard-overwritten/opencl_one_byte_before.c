// Defect: A kernel writes the byte directly in front of its buffer, which the program then releases without a clFinish.
// Fix: It writes the first byte of the buffer.
// OPTION --guard=64
// EXPECT error guard-overwritten clReleaseMemObject at RELEASE
// EXPECT-PARTY allocation at CREATE
// EXPECT-PARTY likely-writer at LAUNCH
// EXPECT-FACT side=front
// EXPECT-FACT changed_bytes=1
// EXPECT-FACT nearest_bytes=0
// EXPECT-FACT resource_bytes=1001
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel store = NewKernel(
      "kernel void store(global uchar* bytes, global const int* where, int count) {"
      "  for (int i = 0; i < count; ++i) bytes[where[i]] = 0;"
      "}",
      "store");
#ifdef DEFECT
  cl_int index = -1;
#else
  cl_int index = 0;
#endif
  const cl_int count = 1;
  // @CREATE
  cl_mem bytes = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 1001, NULL, &error));
  cl_mem where = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(index), &index, &error));
  OK(clSetKernelArg(store, 0, sizeof(bytes), &bytes));
  OK(clSetKernelArg(store, 1, sizeof(where), &where));
  OK(clSetKernelArg(store, 2, sizeof(count), &count));
  const size_t one = 1;
  cl_event done;
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, store, 1, NULL, &one, NULL, 0, NULL, &done));
  OK(clWaitForEvents(1, &done));
  OK(clReleaseEvent(done));
  OK(clReleaseMemObject(where));
  OK(clReleaseKernel(store));
  // @RELEASE
  OK(clReleaseMemObject(bytes));
  Close();
}
