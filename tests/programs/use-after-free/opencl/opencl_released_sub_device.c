// Defect: A sub-device is released before a context is created for it.
// Fix: It is released afterwards.
// EXPECT error use-after-free clCreateContext at HERE
// EXIT any
#include "common/opencl.h"

int main(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  OK(clCreateSubDevices(device, kEach, 2, parts, NULL));
#ifdef DEFECT
  OK(clReleaseDevice(parts[1]));
#endif
  // @HERE
  cl_context one = clCreateContext(NULL, 1, &parts[1], NULL, NULL, &error);
#ifndef DEFECT
  OK(clReleaseDevice(parts[1]));
#endif
  if (one != NULL) OK(clReleaseContext(one));
  OK(clReleaseDevice(parts[0]));
  Close();
}
