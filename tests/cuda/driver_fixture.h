// What the tests of the fake driver share. They run on a real driver too, without what needs an
// order of the fake's.
#ifndef GPUSAN_TESTS_CUDA_DRIVER_FIXTURE_H_
#define GPUSAN_TESTS_CUDA_DRIVER_FIXTURE_H_

#include <cuda.h>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "common/cuda_kernels.h"

// fifo, eager or late; empty on a real driver.
inline std::string TheOrder() {
  const char* order = std::getenv("GPUSAN_FAKE_CUDA_ORDER");
  return order == nullptr ? "" : order;
}
inline bool Late() { return TheOrder() == "late"; }
inline bool Eager() { return TheOrder() == "eager"; }

// A context of its own for each test, so that a fault of one leaves the others alone.
class Driver {
 public:
  Driver() {
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    REQUIRE(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
    REQUIRE(cuCtxCreate(&context, nullptr, 0, device) == CUDA_SUCCESS);
  }
  ~Driver() { cuCtxDestroy(context); }

  CUdeviceptr Memory(size_t bytes) {
    CUdeviceptr memory = 0;
    REQUIRE(cuMemAlloc(&memory, bytes) == CUDA_SUCCESS);
    REQUIRE(cuMemsetD8(memory, 0, bytes) == CUDA_SUCCESS);
    REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
    return memory;
  }

  template <typename T>
  T* Pinned(size_t count) {
    void* memory = nullptr;
    REQUIRE(cuMemAllocHost(&memory, count * sizeof(T)) == CUDA_SUCCESS);
    std::memset(memory, 0, count * sizeof(T));
    return static_cast<T*>(memory);
  }

  CUstream Stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
    CUstream stream = nullptr;
    REQUIRE(cuStreamCreate(&stream, flags) == CUDA_SUCCESS);
    return stream;
  }

  CUevent Event() {
    CUevent event = nullptr;
    REQUIRE(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING) == CUDA_SUCCESS);
    return event;
  }

  CUfunction Kernel(const char* name) {
    if (module == nullptr) {
      REQUIRE(cuModuleLoadData(&module, kKernels) == CUDA_SUCCESS);
    }
    CUfunction kernel = nullptr;
    REQUIRE(cuModuleGetFunction(&kernel, module, name) == CUDA_SUCCESS);
    return kernel;
  }

  template <typename... Arguments>
  CUresult Launch(const char* name, unsigned threads, CUstream stream, Arguments... arguments) {
    void* parameters[] = {&arguments..., nullptr};
    return cuLaunchKernel(Kernel(name), 1, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr);
  }

  // The elements, after everything else in the context.
  template <typename T>
  std::vector<T> Read(CUdeviceptr memory, size_t count) {
    std::vector<T> values(count);
    REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
    REQUIRE(cuMemcpyDtoH(values.data(), memory, count * sizeof(T)) == CUDA_SUCCESS);
    return values;
  }

  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
};

#endif  // GPUSAN_TESTS_CUDA_DRIVER_FIXTURE_H_
