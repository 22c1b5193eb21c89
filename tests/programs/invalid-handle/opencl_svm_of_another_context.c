// Defect: Shared virtual memory is copied to and mapped through the queue of another context.
// Fix: The queue is of the context of the memory.
// EXPECT error invalid-handle clEnqueueSVMMemcpy at COPY
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=dst_ptr
// EXPECT-TEXT another context
// EXPECT error invalid-handle clEnqueueSVMMap at MAP
// EXPECT error invalid-handle clEnqueueSVMUnmap at UNMAP
// EXPECT error invalid-handle clSVMFree at FREE
// EXPECT-FACT argument=svm_pointer
#include "common/opencl.h"

int main(void) {
  Open(0);
  int data[256] = {1};
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  // @CREATED
  int* shared = clSVMAlloc(other, CL_MEM_READ_WRITE, sizeof(data), 0);
#else
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
#endif
  // @COPY
  clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL);
  // @MAP
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, sizeof(data), 0, NULL, NULL);
  // @UNMAP
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
  clFinish(queue);
  // @FREE
  clSVMFree(context, shared);
  OK(clReleaseContext(other));
  Close();
}
