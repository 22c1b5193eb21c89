// Calls that have nothing to do and may be made: empty queues, empty wait lists, NULL to free.
#include "common/opencl.h"

int main(void) {
  Open(0);
  clSVMFree(context, NULL);
  free(NULL);
  OK(clFlush(queue));
  OK(clFinish(queue));
  OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
  OK(clFinish(queue));
  Close();
}
