// Defect: Queries of a device and of a buffer give less room than the values need.
// Fix: The room is that of the values.
#include "common/opencl.h"

// Defect: The program asks for the largest work-group with room for a number of 32 bits.
// Fix: The value is a size_t.
// EXPECT warning call-failed clGetDeviceInfo CL_INVALID_VALUE at HERE
// EXPECT-TEXT param_value_size is 4, but the value has 8 bytes
static void ShortDeviceValue(void) {
#ifdef DEFECT
  cl_uint largest = 0;
#else
  size_t largest = 0;
#endif
  // @HERE
  clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(largest), &largest, NULL);
}

// Defect: A query for a number of 64 bits gets room for one of 32 bits, and the program uses the variable that the call
// leaves unset.
// Fix: The variable has the type that the specification names.
// EXPECT warning call-failed clGetMemObjectInfo CL_INVALID_VALUE at HERE_2
// EXPECT-TEXT param_value_size is 4, but the value has 8 bytes
static void ShortParamValue(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
#ifdef DEFECT
  cl_uint bytes = 0;
#else
  size_t bytes = 0;
#endif
  // @HERE_2
  clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  ShortDeviceValue();
  ShortParamValue();
  Close();
}
