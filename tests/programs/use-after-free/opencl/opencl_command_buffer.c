// Defect: A command buffer is finalized after its last release.
// Fix: A command buffer is finalized before its last release.
// EXPECT error use-after-free clFinalizeCommandBufferKHR at HERE
// EXPECT-PARTY release at RELEASED
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

#include <CL/cl_ext.h>

#define LOAD(name) name##_fn load_##name = clGetExtensionFunctionAddressForPlatform(platform, #name)

int main(void) {
  Open(0);
  LOAD(clCreateCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  // @CREATED
  cl_command_buffer_khr recorded = MADE(load_clCreateCommandBufferKHR(1, &queue, NULL, &error));
#ifndef DEFECT
  load_clFinalizeCommandBufferKHR(recorded);
#endif
  // @RELEASED
  OK(load_clReleaseCommandBufferKHR(recorded));
#ifdef DEFECT
  // @HERE
  load_clFinalizeCommandBufferKHR(recorded);
#endif
  Close();
}
