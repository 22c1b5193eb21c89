// Defect: A command buffer of an out-of-order queue copies what its first command fills, without its sync point.
// Fix: The copy waits for the sync point of the fill.
// EXPECT error race clEnqueueCommandBufferKHR at HERE
// EXPECT-PARTY pending-command at FILLED
// EXPECT-PARTY recorded at COPIED
// EXPECT-FACT hazard=RAW
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  static int result[1024];
  const cl_int five = 5;
  cl_mem from = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr filled;
  // @FILLED
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES from, &five, sizeof(five), 0, sizeof(result), 0, NULL, &filled,
                                 NULL));
#ifdef DEFECT
  // @COPIED
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, 0, sizeof(result), 0, NULL, NULL, NULL));
#else
  OK(load_clCommandCopyBufferKHR(recorded, NULL, NO_PROPERTIES from, to, 0, 0, sizeof(result), 1, &filled, NULL, NULL));
#endif
  OK(load_clFinalizeCommandBufferKHR(recorded));
  // @HERE
  OK(load_clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(to, from);
}
