// Libraries, kernels, launches, and what a CUDA compiler makes a program register.
#include <map>
#include <mutex>
#include <string>

#include "driver.h"

using runtime::Driver;
using runtime::Remember;
using runtime::WithContext;

namespace {

struct Image {
  const void* data = nullptr;
  CUlibrary library = nullptr;
};

struct Registered {
  Image* image = nullptr;
  std::string name;
};

struct Registry {
  std::mutex lock;
  std::map<const void*, Registered> functions;
  std::map<const void*, Registered> variables;
};

// Never destroyed: programs register before main and unregister after it.
Registry& TheRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

CUlibrary LibraryOf(Image& image) {
  if (image.library == nullptr) {
    runtime::TheDriver()->LibraryLoadData(&image.library, image.data, nullptr, nullptr, 0, nullptr,
                                          nullptr, 0);
  }
  return image.library;
}

struct Configuration {
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
};
thread_local Configuration configuration;

cudaError_t Launch(const void* function, dim3 grid, dim3 block, void** arguments,
                   size_t shared_bytes, cudaStream_t stream, bool cooperative) {
  if (cudaError_t error = runtime::EnsureContext(); error != cudaSuccess) {
    return Remember(error);
  }
  CUfunction native = runtime::FunctionOf(function);
  if (native == nullptr) {
    return Remember(cudaErrorInvalidDeviceFunction);
  }
  const auto bytes = static_cast<unsigned>(shared_bytes);
  const Driver& driver = *runtime::TheDriver();
  CUresult result = cooperative
                        ? driver.LaunchCooperativeKernel(native, grid.x, grid.y, grid.z, block.x,
                                                         block.y, block.z, bytes, stream, arguments)
                        : driver.LaunchKernel(native, grid.x, grid.y, grid.z, block.x, block.y,
                                              block.z, bytes, stream, arguments, nullptr);
  // The runtime has a code of its own for a configuration that the device does not allow.
  return Remember(result == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidConfiguration
                                                     : runtime::Convert(result));
}

cudaError_t FindSymbol(const void* symbol, CUdeviceptr* address, size_t* bytes) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> hold(registry.lock);
  auto found = registry.variables.find(symbol);
  if (found == registry.variables.end()) {
    return Remember(cudaErrorInvalidSymbol);
  }
  return WithContext([&](const Driver& driver) {
    return driver.LibraryGetGlobal(address, bytes, LibraryOf(*found->second.image),
                                   found->second.name.c_str());
  });
}

// Like the runtime, checks the bounds before it calls the driver.
cudaError_t FindPart(const void* symbol, size_t bytes, size_t offset, void** address) {
  CUdeviceptr begin = 0;
  size_t size = 0;
  if (cudaError_t error = FindSymbol(symbol, &begin, &size); error != cudaSuccess) {
    return error;
  }
  if (offset > size || bytes > size - offset) {
    return Remember(cudaErrorInvalidValue);
  }
  *address = reinterpret_cast<void*>(begin + offset);
  return cudaSuccess;
}

}  // namespace

CUfunction runtime::FunctionOf(const void* function) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> hold(registry.lock);
  auto found = registry.functions.find(function);
  if (found == registry.functions.end()) {
    return reinterpret_cast<CUfunction>(const_cast<void*>(function));  // a cudaKernel_t
  }
  CUkernel kernel = nullptr;
  TheDriver()->LibraryGetKernel(&kernel, LibraryOf(*found->second.image),
                                found->second.name.c_str());
  return reinterpret_cast<CUfunction>(kernel);
}

extern "C" {

cudaError_t CUDARTAPI cudaLibraryLoadData(cudaLibrary_t* library, const void* code,
                                          cudaJitOption* jit_options, void** jit_values,
                                          unsigned int jit_count, cudaLibraryOption* options,
                                          void** values, unsigned int count) {
  return WithContext([&](const Driver& driver) {
    return driver.LibraryLoadData(library, code, reinterpret_cast<CUjit_option*>(jit_options),
                                  jit_values, jit_count,
                                  reinterpret_cast<CUlibraryOption*>(options), values, count);
  });
}
cudaError_t CUDARTAPI cudaLibraryUnload(cudaLibrary_t library) {
  return WithContext([&](const Driver& driver) { return driver.LibraryUnload(library); });
}
cudaError_t CUDARTAPI cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library,
                                           const char* name) {
  return WithContext(
      [&](const Driver& driver) { return driver.LibraryGetKernel(kernel, library, name); });
}
cudaError_t CUDARTAPI cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library,
                                           const char* name) {
  return WithContext([&](const Driver& driver) {
    return driver.LibraryGetGlobal(reinterpret_cast<CUdeviceptr*>(address), bytes, library, name);
  });
}

cudaError_t CUDARTAPI cudaLaunchKernel(const void* function, dim3 grid, dim3 block,
                                       void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return Launch(function, grid, block, arguments, shared_bytes, stream, false);
}
cudaError_t CUDARTAPI cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                  void** arguments, size_t shared_bytes,
                                                  cudaStream_t stream) {
  return Launch(function, grid, block, arguments, shared_bytes, stream, true);
}
cudaError_t CUDARTAPI cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                          void** arguments) {
  CUlaunchConfig native{};
  native.gridDimX = config->gridDim.x;
  native.gridDimY = config->gridDim.y;
  native.gridDimZ = config->gridDim.z;
  native.blockDimX = config->blockDim.x;
  native.blockDimY = config->blockDim.y;
  native.blockDimZ = config->blockDim.z;
  native.sharedMemBytes = static_cast<unsigned>(config->dynamicSmemBytes);
  native.hStream = config->stream;
  return WithContext([&](const Driver& driver) {
    return driver.LaunchKernelEx(&native, runtime::FunctionOf(function), arguments, nullptr);
  });
}
cudaError_t CUDARTAPI cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute,
                                           int value) {
  return WithContext([&](const Driver& driver) {
    return driver.FuncSetAttribute(runtime::FunctionOf(function),
                                   static_cast<CUfunction_attribute>(attribute), value);
  });
}

cudaError_t CUDARTAPI cudaGetSymbolAddress(void** address, const void* symbol) {
  return FindSymbol(symbol, reinterpret_cast<CUdeviceptr*>(address), nullptr);
}
cudaError_t CUDARTAPI cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  CUdeviceptr address = 0;
  return FindSymbol(symbol, &address, bytes);
}
cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes,
                                         size_t offset, cudaMemcpyKind kind) {
  void* target = nullptr;
  cudaError_t error = FindPart(symbol, bytes, offset, &target);
  return error != cudaSuccess ? error : cudaMemcpy(target, source, bytes, kind);
}
cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void* target, const void* symbol, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  void* source = nullptr;
  cudaError_t error = FindPart(symbol, bytes, offset, &source);
  return error != cudaSuccess ? error : cudaMemcpy(target, source, bytes, kind);
}

// What nvcc puts into a program.
void** __cudaRegisterFatBinary(void* wrapper) {
  auto* image = new Image;
  image->data = wrapper;
  return reinterpret_cast<void**>(image);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void** image, const char* host_function, char*, const char* name, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> hold(registry.lock);
  registry.functions[host_function] = {reinterpret_cast<Image*>(image), name};
}
void __cudaRegisterVar(void** image, char* host_variable, char*, const char* name, int, size_t, int,
                       int) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> hold(registry.lock);
  registry.variables[host_variable] = {reinterpret_cast<Image*>(image), name};
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  configuration = {grid, block, shared_bytes, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *shared_bytes = configuration.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = configuration.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  if (const cudaError_t error = runtime::EnsureContext(); error != cudaSuccess) return error;
  *kernel = reinterpret_cast<cudaKernel_t>(runtime::FunctionOf(function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return Launch(kernel, grid, block, arguments, shared_bytes, stream, false);
}

}  // extern "C"
