// Defect: The program ignores that there is no device, and creates a context on NULL.
// Fix: The program stops.
// EXPECT warning call-failed clCreateContext CL_INVALID_DEVICE at HERE
// EXPECT-TEXT devices\[0\] is NULL
// EXPECT-TEXT correct devices
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_device_id found = NULL;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &found, NULL);
#ifndef DEFECT
  if (found == NULL) found = device;
#endif
  // @HERE
  cl_context other = clCreateContext(NULL, 1, &found, NULL, NULL, &error);
  if (other != NULL) OK(clReleaseContext(other));
  Close();
}
