// Defect: The offset of a recorded launch is computed below 0.
// Fix: The offset is 0.
// EXPECT error call-failed clCommandNDRangeKernelKHR at HERE
// EXPECT-TEXT their sum exceeds the largest size_t
// EXPECT-FACT kernel=fill
#include "common/opencl_command_buffers.h"

int main(void) {
  OpenCommandBuffers(0);
  if (!load_clCreateCommandBufferKHR) abort();
  cl_kernel fill = NewKernel("kernel void fill(global int* out) { out[get_local_id(0) & 15] = 7; }", "fill");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  const size_t items = 64;
#ifdef DEFECT
  const size_t halo = 16;
#else
  const size_t halo = 0;
#endif
  const size_t offset = 0 - halo;
  // @HERE
  load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, fill, 1, &offset, &items, NULL, 0, NULL, NULL, NULL);
  OK(load_clReleaseCommandBufferKHR(recorded));
  CLOSE(out, fill);
}
