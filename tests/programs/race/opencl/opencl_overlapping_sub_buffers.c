// Defect: Two queues fill two sub-buffers of one buffer that overlap.
// Fix: Two queues fill the two halves of one buffer.
// EXPECT error race clEnqueueFillBuffer at HERE
// EXPECT-PARTY pending-command at FIRST
// EXPECT-TEXT which shares the memory of buffer
// EXPECT-FACT hazard=WAW
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int one = 1, two = 2;
  cl_command_queue second = NewQueue(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  const cl_buffer_region parts[2] = {{0, 2048}, {1024, 2048}};
#else
  const cl_buffer_region parts[2] = {{0, 2048}, {2048, 2048}};
#endif
  cl_mem low = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[0], &error));
  cl_mem high = MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[1], &error));
  // @FIRST
  OK(clEnqueueFillBuffer(queue, low, &one, sizeof(one), 0, 2048, 0, NULL, NULL));
  // @HERE
  OK(clEnqueueFillBuffer(second, high, &two, sizeof(two), 0, 2048, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(second));
  CLOSE(high, low, buffer, second);
}
