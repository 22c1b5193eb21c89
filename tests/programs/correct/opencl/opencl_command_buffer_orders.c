// Commands of a command buffer that share memory are ordered by sync points, also through a third command, by a
// barrier, or by the in-order queue of their recording; commands without an order read the same bytes or use different
// parts of a buffer.
#include "common/opencl_command_buffers.h"

enum { kBytes = 4096, kHalf = kBytes / 2 };

static cl_sync_point_khr Fill(cl_command_buffer_khr buffer, cl_mem memory, cl_int value, size_t at, size_t bytes) {
  cl_sync_point_khr point;
  OK(load_clCommandFillBufferKHR(buffer, NULL, NO_PROPERTIES memory, &value, sizeof(value), at, bytes, 0, NULL, &point, NULL));
  return point;
}

int main(void) {
  OpenCommandBuffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue in_order = NewQueue(0);
  static int result[kBytes / sizeof(int)];
  cl_mem from = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_mem third = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));

  cl_command_buffer_khr points = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr halves[2], copied;
  halves[0] = Fill(points, from, 5, 0, kHalf);
  halves[1] = Fill(points, from, 6, kHalf, kHalf);
  OK(load_clCommandCopyBufferKHR(points, NULL, NO_PROPERTIES from, to, 0, 0, kBytes, 2, halves, &copied, NULL));
  OK(load_clCommandCopyBufferKHR(points, NULL, NO_PROPERTIES from, third, 0, 0, kHalf, 1, halves, NULL, NULL));  // reads beside the copy
  OK(load_clCommandBarrierWithWaitListKHR(points, NULL, NO_PROPERTIES 1, &copied, NULL, NULL));
  Fill(points, from, 7, kHalf, kHalf);  // behind the barrier, and so behind the copy and its fills
  OK(load_clFinalizeCommandBufferKHR(points));

  cl_command_buffer_khr barriers = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  Fill(barriers, to, 8, 0, kHalf);
  OK(load_clCommandBarrierWithWaitListKHR(barriers, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
  Fill(barriers, to, 9, 0, kHalf);
  OK(load_clCommandBarrierWithWaitListKHR(barriers, NULL, NO_PROPERTIES 0, NULL, NULL, NULL));
  OK(load_clCommandCopyBufferKHR(barriers, NULL, NO_PROPERTIES to, third, 0, 0, kBytes, 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(barriers));

  cl_command_buffer_khr ordered = MADE(load_clCreateCommandBufferKHR(1, &in_order, NULL, &error));
  Fill(ordered, from, 10, 0, kBytes);
  OK(load_clCommandCopyBufferKHR(ordered, NULL, NO_PROPERTIES from, to, 0, 0, kBytes, 0, NULL, NULL, NULL));
  OK(load_clFinalizeCommandBufferKHR(ordered));

  for (int i = 0; i < 2; ++i) {
    OK(load_clEnqueueCommandBufferKHR(0, NULL, points, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(load_clEnqueueCommandBufferKHR(0, NULL, barriers, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(load_clEnqueueCommandBufferKHR(0, NULL, ordered, 0, NULL, NULL));
    OK(clFinish(in_order));
  }
  OK(clEnqueueReadBuffer(in_order, third, CL_TRUE, 0, kBytes, result, 0, NULL, NULL));
  printf("%d %d\n", result[0], result[kBytes / sizeof(int) - 1]);
  OK(load_clReleaseCommandBufferKHR(ordered));
  OK(load_clReleaseCommandBufferKHR(barriers));
  OK(load_clReleaseCommandBufferKHR(points));
  CLOSE(third, to, from, in_order);
}
