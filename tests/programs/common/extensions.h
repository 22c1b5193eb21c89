// For programs that use extensions which the CPU driver lacks: extension_layer.cc adds them below everything else.
// OpenExtensions comes before the first OpenCL call; LOAD declares the function pointer `load_<name>`.
#pragma once

#define CL_ENABLE_BETA_EXTENSIONS
#include "common/opencl.h"

#include <CL/cl_ext.h>

SHARED void OpenExtensions(cl_command_queue_properties properties) {
  const char* there = getenv("OPENCL_LAYERS");
  char layers[8192];
  snprintf(layers, sizeof(layers), "%s%s%s", EXTENSION_LAYER, there != NULL && *there ? ":" : "", there ? there : "");
  setenv("OPENCL_LAYERS", layers, 1);
  Open(properties);
}

// The layer gives the device fine-grained system SVM: any host pointer is an argument of a kernel.
SHARED void OpenWithSystemSvm(cl_command_queue_properties properties) {
  setenv("EXTENSION_LAYER_SYSTEM_SVM", "1", 1);
  OpenExtensions(properties);
}

#define LOAD_AS(name, type) type load_##name = (type)clGetExtensionFunctionAddressForPlatform(platform, #name)
#define LOAD(name) LOAD_AS(name, name##_fn)
// For names that the headers declare and have no type for.
#define LOAD_DECLARED(name) LOAD_AS(name, __typeof__(&name))
