// Defect: A kernel is enqueued for a device for which its program was not built.
// Fix: The program is built for both devices.
// EXPECT error call-failed clEnqueueNDRangeKernel at HERE
// EXPECT-TEXT was not built for the device of
#include "common/opencl_halves.h"

int main(void) {
  WantTwoUnits();
  Open(0);
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
  // @HERE
  clEnqueueNDRangeKernel(second, fill, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(second));
  OK(clReleaseKernel(fill));
  OK(clReleaseMemObject(out));
  OK(clReleaseCommandQueue(second));
  OK(clReleaseContext(both));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(halves[i]));
  Close();
}
