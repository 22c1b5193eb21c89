// A command buffer is finalized before its last release.
#include "common/opencl.h"

#include <CL/cl_ext.h>

#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

int main(void) {
  Open(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clRetainCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
  load_clFinalizeCommandBufferKHR(recorded);
  OK(load_clReleaseCommandBufferKHR(recorded));
  Close();
}
