// A command buffer is retained as often as it is released.
#include "common/opencl.h"

#include <CL/cl_ext.h>

#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

int main(void) {
  Open(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clRetainCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  OK(load_clRetainCommandBufferKHR(recorded));
  OK(load_clReleaseCommandBufferKHR(recorded));
  OK(load_clReleaseCommandBufferKHR(recorded));
  Close();
}
