// A command waits for an event of another queue that the program has flushed without clFlush on that command: by a wait
// for an earlier command, by a blocking command, by the release of a reference of the queue; or later than the wait was
// enqueued, but before the host waits.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int result[256], other[256];
  const cl_int one = 1;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  for (int turn = 0; turn < 4; ++turn) {
    cl_event early, late;
    OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, sizeof(result), 0, NULL, &early));
    OK(clEnqueueFillBuffer(queue, buffer, &turn, sizeof(turn), 0, sizeof(result), 0, NULL, &late));
    if (turn == 0) OK(clWaitForEvents(1, &early));
    if (turn == 1)
      OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(other), other, 0, NULL, NULL));
    if (turn == 2) {
      OK(clRetainCommandQueue(queue));
      OK(clReleaseCommandQueue(queue));
    }
    if (turn == 3) {
      OK(clEnqueueReadBuffer(second, buffer, CL_FALSE, 0, sizeof(result), result, 1, &late, NULL));
      OK(clFlush(queue));
      OK(clFinish(second));
    } else {
      OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, sizeof(result), result, 1, &late, NULL));
    }
    printf("%d\n", result[255]);
    OK(clReleaseEvent(late));
    OK(clReleaseEvent(early));
  }
  CLOSE(buffer, second);
}
