// Defect: A queue is created on a sub-device that the context does not contain.
// Fix: The context is created for the sub-device.
// EXPECT warning call-failed clCreateCommandQueueWithProperties at HERE
#include "common/opencl_halves.h"

int main(void) {
  WantTwoUnits();
  Open(0);
  cl_device_id halves[2];
  Split(halves);
#ifdef DEFECT
  cl_context one = MADE(clCreateContext(NULL, 1, &halves[1], NULL, NULL, &error));
#else
  cl_context one = MADE(clCreateContext(NULL, 1, &halves[0], NULL, NULL, &error));
#endif
  // @HERE
  cl_command_queue first = clCreateCommandQueueWithProperties(one, halves[0], NULL, &error);
  if (first != NULL) OK(clReleaseCommandQueue(first));
  OK(clReleaseContext(one));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(halves[i]));
  Close();
}
