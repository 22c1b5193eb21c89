// Functions that programs get by clGetExtensionFunctionAddress and clGetExtensionFunctionAddressForPlatform.
#include "hooks/opencl/extensions.h"
#include "hooks/opencl/wrapper.h"

namespace gpusan::opencl {

void* Handle_clGetExtensionFunctionAddress(ClCall& call, cl_api_clGetExtensionFunctionAddress next, const char* name) {
  void* real = next(name);
  call.Finish(CL_SUCCESS);
  return real != nullptr ? WrapExtension(name, real) : nullptr;
}

void* Handle_clGetExtensionFunctionAddressForPlatform(ClCall& call,
                                                      cl_api_clGetExtensionFunctionAddressForPlatform next,
                                                      cl_platform_id platform, const char* name) {
  void* real = next(platform, name);
  call.Finish(CL_SUCCESS);
  return real != nullptr ? WrapExtension(name, real) : nullptr;
}

void* WrapExtension(const char*, void* real) { return real; }

}  // namespace gpusan::opencl
