// Defect: A command of a command buffer waits for a sync point that no command has.
// Fix: The command waits for the sync point that an earlier command returned.
// EXPECT error call-failed clCommandFillBufferKHR at HERE
// EXPECT-FACT sync_point=77
// EXIT any
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  const cl_int five = 5;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  cl_sync_point_khr first;
  OK(load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, 4096, 0, NULL,
                                 &first, NULL));
#ifdef DEFECT
  first = 77;
#endif
  // @HERE
  load_clCommandFillBufferKHR(recorded, NULL, NO_PROPERTIES buffer, &five, sizeof(five), 0, 4096, 1, &first, NULL, NULL);
  load_clFinalizeCommandBufferKHR(recorded);
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(buffer);
}
