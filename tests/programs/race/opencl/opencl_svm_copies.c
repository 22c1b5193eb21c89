// Defect: An out-of-order queue: shared virtual memory is copied from before the copy to it is
// known to have ended.
// Fix: An out-of-order queue: the second copy waits for the first.
// EXPECT error race clEnqueueSVMMemcpy at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-FACT hazard=RAW
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static char data[4096], result[4096];
  char* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
  cl_event written;
  // @WRITE
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, shared, data, 4096, 0, NULL, &written));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, 4096, 0, NULL, NULL));
#else
  OK(clEnqueueSVMMemcpy(queue, CL_TRUE, result, shared, 4096, 1, &written, NULL));
#endif
  OK(clFinish(queue));
  OK(clReleaseEvent(written));
  clSVMFree(context, shared);
  Close();
}
