// The driver below the fake runtime, and what every entry point of the runtime begins and ends
// with.
#ifndef GPUSAN_TESTS_CUDA_FAKE_RUNTIME_DRIVER_H_
#define GPUSAN_TESTS_CUDA_FAKE_RUNTIME_DRIVER_H_

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace runtime {

// The driver's entry points as cuGetProcAddress gave them.
struct Driver {
#define FUNCTION(member, name, version, type) decltype(&type) member = nullptr;
#include "driver_functions.def"
#undef FUNCTION
};

// Loads the driver at the first call, as NVIDIA's runtime does: dlopen, one dlsym, then
// cuGetProcAddress for each name. Null when there is none.
const Driver* TheDriver();

// The calling thread's last error, as cudaGetLastError and cudaPeekAtLastError see it.
cudaError_t Remember(cudaError_t error);
cudaError_t LastError(bool reset);

// The codes of both interfaces are the same numbers.
inline cudaError_t Convert(CUresult result) { return static_cast<cudaError_t>(result); }

// Makes the thread's device's primary context current unless the thread has a context.
cudaError_t EnsureContext();
int CurrentDevice();
void SetCurrentDevice(int device);
CUcontext PrimaryContext(int device);

// Runs `body(driver)`, which returns a CUresult, with a context.
template <typename Body>
cudaError_t WithContext(Body body) {
  cudaError_t error = EnsureContext();
  return Remember(error != cudaSuccess ? error : Convert(body(*TheDriver())));
}

// The same for what needs no context.
template <typename Body>
cudaError_t WithDriver(Body body) {
  const Driver* driver = TheDriver();
  if (driver == nullptr) {
    return Remember(cudaErrorInsufficientDriver);
  }
  CUresult result = driver->Init(0);
  return Remember(Convert(result != CUDA_SUCCESS ? result : body(*driver)));
}

inline CUdeviceptr Address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
inline CUarray Handle(cudaArray_const_t array) {
  return reinterpret_cast<CUarray>(const_cast<cudaArray*>(array));
}

// Between the channel descriptions of both interfaces. False when the driver has no such format.
bool FormatOf(const cudaChannelFormatDesc& description, CUarray_format* format, unsigned* channels);
cudaChannelFormatDesc DescriptionOf(CUarray_format format, unsigned channels);

// What a launch is given as its function: a cudaKernel_t, or the address of a function of the
// program that was registered.
CUfunction FunctionOf(const void* function);

}  // namespace runtime

#endif  // GPUSAN_TESTS_CUDA_FAKE_RUNTIME_DRIVER_H_
