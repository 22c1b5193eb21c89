// Shared virtual memory is freed after the last copy from it.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL));
  clEnqueueSVMMemcpy(queue, CL_TRUE, data, shared, sizeof(data), 0, NULL, NULL);
  clSVMFree(context, shared);
  Close();
}
