// An out-of-order queue ordered by barriers and markers, with and without wait lists, old and new
// calls.
#include "common/opencl.h"

int main(void) {
  Open(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static int result[256];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event filled, marked;
  for (cl_int value = 1; value <= 4; ++value) {
    OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof(value), 0, sizeof(result), 0, NULL,
                           &filled));
    if (value == 1) {  // everything after the barrier comes after everything before it
      OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    } else if (value == 2) {  // the barrier waits for the fill, what follows for the barrier
      OK(clEnqueueBarrierWithWaitList(queue, 1, &filled, NULL));
    } else if (value == 3) {  // a marker waits and does not hold up what follows; its event does
      OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marked));
      OK(clEnqueueBarrierWithWaitList(queue, 1, &marked, NULL));
      OK(clReleaseEvent(marked));
    } else {
      OK(clEnqueueBarrier(queue));
    }
    OK(clReleaseEvent(filled));
  }
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d %d\n", result[0], result[255]);
  CLOSE(buffer);
}
