// Functions and kernels: their names, parameters and attributes.
#include <cuda.h>

#include "launches.h"
#include "memory.h"

using namespace fake;

namespace {

CUresult ParameterInfo(const EntryText& text, size_t index, size_t* offset, size_t* bytes) {
  if (index >= text.parameters.size() || offset == nullptr) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *offset = text.parameters[index].offset;
  if (bytes != nullptr) {
    *bytes = text.parameters[index].bytes;
  }
  return CUDA_SUCCESS;
}

int FunctionAttribute(CUfunction_attribute attribute, int dynamic_shared_bytes) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return kMaxThreadsPerBlock;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return 16;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return 52;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return 90;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return dynamic_shared_bytes;
    default:
      return 0;
  }
}

CUresult SetAttribute(CUfunction_attribute attribute, int value, int* dynamic_shared_bytes) {
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    if (value < 0 || static_cast<size_t>(value) > kMaxSharedBytesOptIn) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    *dynamic_shared_bytes = value;
    return CUDA_SUCCESS;
  }
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return value >= -1 && value <= 100 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return value >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;  // a property of the code
  }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuKernelGetFunction(CUfunction* function, CUkernel handle) {
  return WithContext([&](Context& context) {
    std::shared_ptr<Kernel> kernel = kernels.Find(handle);
    std::shared_ptr<Function> found = kernel == nullptr ? nullptr : FunctionOf(*kernel, context);
    if (found == nullptr || function == nullptr) {
      return found == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    *function = functions.Of(found);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuKernelGetLibrary(CUlibrary* library, CUkernel handle) {
  return WithDriver([&] {
    std::shared_ptr<Kernel> kernel = kernels.Find(handle);
    if (kernel == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *library = libraries.Of(kernel->library.lock());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuKernelGetName(const char** name, CUkernel handle) {
  return WithDriver([&] {
    std::shared_ptr<Kernel> kernel = kernels.Find(handle);
    if (kernel == nullptr || name == nullptr) {
      return kernel == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    *name = kernel->text.name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuKernelGetParamInfo(CUkernel handle, size_t index, size_t* offset,
                                      size_t* bytes) {
  return WithDriver([&] {
    std::shared_ptr<Kernel> kernel = kernels.Find(handle);
    return kernel == nullptr ? CUDA_ERROR_INVALID_HANDLE
                             : ParameterInfo(kernel->text, index, offset, bytes);
  });
}

CUresult CUDAAPI cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel handle,
                                      CUdevice) {
  return WithDriver([&] {
    std::shared_ptr<Kernel> kernel = kernels.Find(handle);
    if (kernel == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *value = FunctionAttribute(attribute, kernel->max_dynamic_shared_bytes);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel handle,
                                      CUdevice) {
  return WithDriver([&] {
    std::shared_ptr<Kernel> kernel = kernels.Find(handle);
    return kernel == nullptr ? CUDA_ERROR_INVALID_HANDLE
                             : SetAttribute(attribute, value, &kernel->max_dynamic_shared_bytes);
  });
}

CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<Function> function = functions.Find(handle);
    if (function == nullptr || name == nullptr) {
      return function == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    }
    *name = function->text.name.c_str();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<Function> function = functions.Find(handle);
    if (function == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *module = modules.Of(function->module.lock());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuFuncGetParamInfo(CUfunction handle, size_t index, size_t* offset,
                                    size_t* bytes) {
  return WithContext([&](Context&) {
    std::shared_ptr<Function> function = functions.Find(handle);
    return function == nullptr ? CUDA_ERROR_INVALID_HANDLE
                               : ParameterInfo(function->text, index, offset, bytes);
  });
}

CUresult CUDAAPI cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
  return WithContext([&](Context&) {
    std::shared_ptr<Function> function = FindFunction(handle);
    if (function == nullptr) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *value = FunctionAttribute(attribute, function->max_dynamic_shared_bytes);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute, int value) {
  return WithContext([&](Context&) {
    std::shared_ptr<Function> function = FindFunction(handle);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    // The function of a kernel takes over the kernel's values.
    std::shared_ptr<Kernel> kernel = kernels.Find(reinterpret_cast<CUkernel>(handle));
    return SetAttribute(attribute, value,
                        kernel != nullptr ? &kernel->max_dynamic_shared_bytes
                                          : &function->max_dynamic_shared_bytes);
  });
}

CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache) {
  return WithContext([&](Context&) {
    return FindFunction(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuFuncLoad(CUfunction handle) {
  return WithContext([&](Context&) {
    return FindFunction(handle) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
  return WithContext([&](Context&) {
    if (FindFunction(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
