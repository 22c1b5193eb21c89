// Defect: The program asks for the largest work-group with room for a number of 32 bits.
// Fix: The value is a size_t.
// EXPECT warning call-failed clGetDeviceInfo CL_INVALID_VALUE at HERE
// EXPECT-TEXT param_value_size is 4, but the value has 8 bytes
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  cl_uint largest = 0;
#else
  size_t largest = 0;
#endif
  // @HERE
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(largest), &largest, NULL);
  Close();
}
