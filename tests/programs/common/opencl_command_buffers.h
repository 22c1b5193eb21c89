// The properties of commands in command buffers, which revision 0.9.5 of cl_khr_command_buffer added behind the queue.
// Headers of 0.9.5 and newer, such as those of Debian 13, declare the revised functions.
#pragma once

#include <CL/cl_ext.h>

#ifdef CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION
#define NO_PROPERTIES NULL,
#else
#define NO_PROPERTIES
#endif
