// An out-of-order queue: the second copy waits for the first.
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static char data[4096], result[4096];
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  cl_event written;
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, shared, data, 4096, 0, NULL, &written));
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, 4096, 1, &written, NULL));
  OK(clFinish(queue));
  OK(clReleaseEvent(written));
  clSVMFree(context, shared);
  Close();
}
