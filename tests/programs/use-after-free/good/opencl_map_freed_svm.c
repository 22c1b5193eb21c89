// Shared virtual memory is mapped and moved before it is freed.
#include "common/opencl.h"

int main(void) {
  Open(0);
  void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 8192, 0);
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, 8192, 0, NULL, NULL);
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
  clEnqueueSVMMigrateMem(queue, 1, (const void**)&shared, NULL, 0, 0, NULL, NULL);
  clFinish(queue);
  clSVMFree(context, shared);
  Close();
}
