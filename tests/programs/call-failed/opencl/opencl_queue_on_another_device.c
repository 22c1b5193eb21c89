// Defect: A queue is created on a sub-device that the context does not contain.
// Fix: The context is created for the sub-device.
// EXPECT warning call-failed clCreateCommandQueueWithProperties at HERE
#include "common/opencl.h"

int main(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  OK(clCreateSubDevices(device, kEach, 2, parts, NULL));
#ifdef DEFECT
  cl_context one = MADE(clCreateContext(NULL, 1, &parts[1], NULL, NULL, &error));
#else
  cl_context one = MADE(clCreateContext(NULL, 1, &parts[0], NULL, NULL, &error));
#endif
  // @HERE
  cl_command_queue first = clCreateCommandQueueWithProperties(one, parts[0], NULL, &error);
  if (first != NULL) OK(clReleaseCommandQueue(first));
  OK(clReleaseContext(one));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(parts[i]));
  Close();
}
