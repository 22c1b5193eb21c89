// The properties of commands in command buffers, which revision 0.9.5 of cl_khr_command_buffer added behind the queue.
// Headers of 0.9.5 and newer, such as those of Debian 13, declare the revised functions.
#pragma once

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "common/opencl.h"

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
