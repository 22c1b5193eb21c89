// Finding the driver, the current device and the last error.
#include "driver.h"

#include <dlfcn.h>

#include <mutex>

namespace runtime {
namespace {

using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t,
                                    CUdriverProcAddressQueryResult*);

thread_local cudaError_t last_error = cudaSuccess;
thread_local int current_device = 0;

// An error of the context that no reset of the last error removes.
bool Sticky(cudaError_t error) {
  return error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure ||
         error == cudaErrorLaunchTimeout;
}

}  // namespace

const Driver* TheDriver() {
  static const Driver* driver = []() -> const Driver* {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) {
      return nullptr;
    }
    auto find = reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2"));
    if (find == nullptr) {
      return nullptr;
    }
    auto* made = new Driver;
    void* address = nullptr;
    find("", &address, 0, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
    find("cuGetProcAddress", &address, 11030, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
    find("cuGetProcAddress", &address, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
    // Both kinds of default stream are asked for, whichever the program uses.
#define FUNCTION(member, name, version, type)                                               \
  find(name, &address, version, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr);    \
  find(name, reinterpret_cast<void**>(&made->member), version, CU_GET_PROC_ADDRESS_DEFAULT, \
       nullptr);
#include "driver_functions.def"
#undef FUNCTION
    return made;
  }();
  return driver;
}

cudaError_t Remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) {
    last_error = error;
  }
  return error;
}

cudaError_t LastError(bool reset) {
  const cudaError_t error = last_error;
  if (reset && !Sticky(error)) {
    last_error = cudaSuccess;
  }
  return error;
}

int CurrentDevice() { return current_device; }
void SetCurrentDevice(int device) { current_device = device; }

CUcontext PrimaryContext(int device) {
  static std::mutex lock;
  static CUcontext primary[64] = {};
  std::lock_guard<std::mutex> hold(lock);
  if (primary[device] == nullptr) {
    TheDriver()->DevicePrimaryCtxRetain(&primary[device], device);
  }
  return primary[device];
}

cudaError_t EnsureContext() {
  const Driver* driver = TheDriver();
  if (driver == nullptr) {
    return cudaErrorInsufficientDriver;
  }
  CUcontext context = nullptr;
  if (CUresult result = driver->Init(0); result != CUDA_SUCCESS) {
    return Convert(result);
  }
  if (driver->CtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr) {
    return cudaSuccess;
  }
  context = PrimaryContext(current_device);
  return context == nullptr ? cudaErrorInitializationError
                            : Convert(driver->CtxSetCurrent(context));
}

bool FormatOf(const cudaChannelFormatDesc& description, CUarray_format* format,
              unsigned* channels) {
  const int bits[4] = {description.x, description.y, description.z, description.w};
  *channels = 0;
  for (int i = 0; i < 4; ++i) {
    if (bits[i] != 0 && (bits[i] != description.x || *channels != static_cast<unsigned>(i))) {
      return false;
    }
    *channels += bits[i] != 0;
  }
  switch (description.f * 100 + description.x) {
    case cudaChannelFormatKindSigned * 100 + 8:
      *format = CU_AD_FORMAT_SIGNED_INT8;
      break;
    case cudaChannelFormatKindSigned * 100 + 16:
      *format = CU_AD_FORMAT_SIGNED_INT16;
      break;
    case cudaChannelFormatKindSigned * 100 + 32:
      *format = CU_AD_FORMAT_SIGNED_INT32;
      break;
    case cudaChannelFormatKindUnsigned * 100 + 8:
      *format = CU_AD_FORMAT_UNSIGNED_INT8;
      break;
    case cudaChannelFormatKindUnsigned * 100 + 16:
      *format = CU_AD_FORMAT_UNSIGNED_INT16;
      break;
    case cudaChannelFormatKindUnsigned * 100 + 32:
      *format = CU_AD_FORMAT_UNSIGNED_INT32;
      break;
    case cudaChannelFormatKindFloat * 100 + 16:
      *format = CU_AD_FORMAT_HALF;
      break;
    case cudaChannelFormatKindFloat * 100 + 32:
      *format = CU_AD_FORMAT_FLOAT;
      break;
    default:
      return false;
  }
  return *channels != 0 && *channels != 3;
}

cudaChannelFormatDesc DescriptionOf(CUarray_format format, unsigned channels) {
  cudaChannelFormatDesc description{};
  int bits = 32;
  switch (format) {
    case CU_AD_FORMAT_SIGNED_INT8:
    case CU_AD_FORMAT_UNSIGNED_INT8:
      bits = 8;
      break;
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      bits = 16;
      break;
    default:
      break;
  }
  const bool is_float = format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
  const bool is_signed = format == CU_AD_FORMAT_SIGNED_INT8 ||
                         format == CU_AD_FORMAT_SIGNED_INT16 || format == CU_AD_FORMAT_SIGNED_INT32;
  description.f = is_float    ? cudaChannelFormatKindFloat
                  : is_signed ? cudaChannelFormatKindSigned
                              : cudaChannelFormatKindUnsigned;
  description.x = bits;
  description.y = channels > 1 ? bits : 0;
  description.z = channels > 2 ? bits : 0;
  description.w = channels > 3 ? bits : 0;
  return description;
}

}  // namespace runtime
