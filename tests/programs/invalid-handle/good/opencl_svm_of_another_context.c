// Shared virtual memory is filled, copied and mapped through a queue of its own context.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const int seven = 7;
  int data[256] = {1};
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
  clEnqueueSVMMemFill(queue, shared, &seven, sizeof(seven), sizeof(data), 0, NULL, NULL);
  clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL);
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, sizeof(data), 0, NULL, NULL);
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
  clFinish(queue);
  clSVMFree(context, shared);
  OK(clReleaseContext(other));
  Close();
}
