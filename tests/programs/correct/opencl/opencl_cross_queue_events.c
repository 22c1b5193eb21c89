// Two queues hand a buffer to each other, in turn, by events.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int result[256];
  cl_command_queue queues[2] = {queue, NewQueue(0)};
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_event previous = NULL;
  for (cl_int turn = 0; turn < 10; ++turn) {
    cl_event next;
    OK(clEnqueueFillBuffer(queues[turn % 2], buffer, &turn, sizeof(turn), 0, sizeof(result),
                           previous ? 1 : 0, previous ? &previous : NULL, &next));
    OK(clFlush(queues[turn % 2]));
    if (previous) OK(clReleaseEvent(previous));
    previous = next;
  }
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(result), result, 1, &previous, NULL));
  printf("%d %d\n", result[0], result[255]);
  CLOSE(previous, buffer, queues[1]);
}
