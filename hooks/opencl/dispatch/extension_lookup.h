// Handlers of clGetExtensionFunctionAddress and clGetExtensionFunctionAddressForPlatform: the
// program gets the wrapper of an extension function instead of its address.
#pragma once

#include "hooks/opencl/call/call.h"

namespace gpusan::opencl::handlers {

struct clGetExtensionFunctionAddress {
  void After(ClCall& call, void*& address, const char* name);
};

struct clGetExtensionFunctionAddressForPlatform {
  void After(ClCall& call, void*& address, cl_platform_id platform, const char* name);
};

}  // namespace gpusan::opencl::handlers
