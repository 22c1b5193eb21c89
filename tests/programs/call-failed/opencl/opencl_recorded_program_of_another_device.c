// Defect: A kernel is recorded for a device for which its program was not built.
// Fix: The program is built for both devices.
// EXPECT error call-failed clCommandNDRangeKernelKHR at HERE
// EXPECT-TEXT was not built for the device of
#include "common/opencl_command_buffers.h"
#include "common/opencl_halves.h"

int main(void) {
  WantTwoUnits();
  OpenCommandBuffers(0);
  if (!load_clCreateCommandBufferKHR) abort();
  cl_device_id halves[2];
  Split(halves);
  cl_context both = MADE(clCreateContext(NULL, 2, halves, NULL, NULL, &error));
  cl_command_queue second = MADE(clCreateCommandQueueWithProperties(both, halves[1], NULL, &error));
  cl_mem out = MADE(clCreateBuffer(both, 0, 4096, NULL, &error));
#ifdef DEFECT
  const cl_uint count = 1;
#else
  const cl_uint count = 2;
#endif
  cl_kernel fill = FillFor(both, count, halves, out);
  const size_t items = 64;
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &second, NULL, &error));
  // @HERE
  load_clCommandNDRangeKernelKHR(recorded, NULL, NULL, fill, 1, NULL, &items, NULL, 0, NULL, NULL, NULL);
  OK(load_clReleaseCommandBufferKHR(recorded));
  OK(clReleaseKernel(fill));
  OK(clReleaseMemObject(out));
  OK(clReleaseCommandQueue(second));
  OK(clReleaseContext(both));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(halves[i]));
  Close();
}
