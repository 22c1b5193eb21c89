// The functions of cl_khr_command_buffer that the programs use, as `load_<name>`.
#pragma once

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "common/opencl.h"

// The properties of a command, which revision 0.9.5 added behind the queue. Headers of 0.9.5 and newer, such as those of
// Debian 13, declare the revised functions.
#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION
#define NO_PROPERTIES NULL,
#else
#define NO_PROPERTIES
#endif

// Skips the program if the driver implements an earlier revision than the headers declare: its functions have other
// parameters. Call it after Open.
static void NeedRevision(void) {
#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION
  static cl_name_version extensions[256];
  size_t bytes = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(extensions), extensions, &bytes));
  for (size_t i = 0; i < bytes / sizeof(extensions[0]); ++i) {
    if (strcmp(extensions[i].name, "cl_khr_command_buffer") == 0 &&
        extensions[i].version >= CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION)
      return;
  }
  exit(77);
#endif
}

SHARED clCreateCommandBufferKHR_fn load_clCreateCommandBufferKHR;
SHARED clFinalizeCommandBufferKHR_fn load_clFinalizeCommandBufferKHR;
SHARED clEnqueueCommandBufferKHR_fn load_clEnqueueCommandBufferKHR;
SHARED clRetainCommandBufferKHR_fn load_clRetainCommandBufferKHR;
SHARED clReleaseCommandBufferKHR_fn load_clReleaseCommandBufferKHR;
SHARED clCommandFillBufferKHR_fn load_clCommandFillBufferKHR;
SHARED clCommandCopyBufferKHR_fn load_clCommandCopyBufferKHR;
SHARED clCommandNDRangeKernelKHR_fn load_clCommandNDRangeKernelKHR;
SHARED clCommandBarrierWithWaitListKHR_fn load_clCommandBarrierWithWaitListKHR;

// Opens, and finds the functions. Those that the driver lacks are NULL.
SHARED void OpenCommandBuffers(cl_command_queue_properties properties) {
  Open(properties);
  NeedRevision();
#define LOAD(name) load_##name = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name)
  LOAD(clCreateCommandBufferKHR);
  LOAD(clFinalizeCommandBufferKHR);
  LOAD(clEnqueueCommandBufferKHR);
  LOAD(clRetainCommandBufferKHR);
  LOAD(clReleaseCommandBufferKHR);
  LOAD(clCommandFillBufferKHR);
  LOAD(clCommandCopyBufferKHR);
  LOAD(clCommandNDRangeKernelKHR);
  LOAD(clCommandBarrierWithWaitListKHR);
#undef LOAD
}
