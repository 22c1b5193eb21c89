// Defect: A command buffer is retained once more than it is released.
// Fix: A command buffer is retained as often as it is released.
// EXPECT warning leak clCreateCommandBufferKHR at CREATED
// EXPECT-PARTY holder at RETAINED
#include "common/opencl.h"

#include <CL/cl_ext.h>

#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

int main(void) {
  Open(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clRetainCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  // @CREATED
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  // @RETAINED
  OK(load_clRetainCommandBufferKHR(recorded));
  OK(load_clReleaseCommandBufferKHR(recorded));
#ifndef DEFECT
  OK(load_clReleaseCommandBufferKHR(recorded));
#endif
  Close();
}
