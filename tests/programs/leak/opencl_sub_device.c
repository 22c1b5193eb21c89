// Defect: A sub-device is not released, or retained once more than it is released.
// Fix: The sub-device is released.
#include "common/opencl.h"

// Defect: A sub-device is not released.
// Fix: Every sub-device is released.
// EXPECT warning leak clCreateSubDevices at CREATED
// EXPECT-TEXT sub-device .* is still held
// EXPECT-TEXT call clReleaseDevice once for the creation
// EXPECT-FACT references=1
static void SubDevice(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  // @CREATED
  OK(clCreateSubDevices(device, kEach, 2, parts, NULL));
  // The context and the queue retain the sub-device; these references are not the program's.
  cl_context one = MADE(clCreateContext(NULL, 1, &parts[1], NULL, NULL, &error));
  cl_command_queue own = MADE(clCreateCommandQueueWithProperties(one, parts[1], NULL, &error));
  OK(clReleaseCommandQueue(own));
  OK(clReleaseContext(one));
#ifndef DEFECT
  OK(clReleaseDevice(parts[1]));
#endif
  OK(clReleaseDevice(parts[0]));
  Close();
}

// Defect: A program retains a sub-device once more than it releases it.
// Fix: The program releases it as often as it retains it.
// EXPECT warning leak clCreateSubDevices at CREATED_2
// EXPECT-PARTY holder at RETAINED
// EXPECT-FACT references=1
static void RetainedSubDevice(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  // @CREATED_2
  OK(clCreateSubDevices(device, kEach, 2, parts, NULL));
  cl_context one = MADE(clCreateContext(NULL, 1, parts, NULL, NULL, &error));
  cl_command_queue own = MADE(clCreateCommandQueueWithProperties(one, parts[0], NULL, &error));
  // @RETAINED
  OK(clRetainDevice(parts[0]));
  OK(clReleaseCommandQueue(own));
  OK(clReleaseContext(one));
#ifndef DEFECT
  OK(clReleaseDevice(parts[0]));
#endif
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(parts[i]));
  Close();
}

int main(void) {
  SubDevice();
  RetainedSubDevice();
}
