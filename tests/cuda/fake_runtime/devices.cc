// Devices, and what concerns a whole one.
#include <cstdio>
#include <cstring>

#include "driver.h"

using runtime::Driver;
using runtime::WithContext;
using runtime::WithDriver;

extern "C" {

cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  return WithDriver([&](const Driver& driver) { return driver.DeviceGetCount(count); });
}

cudaError_t CUDARTAPI cudaSetDevice(int device) {
  return WithDriver([&](const Driver& driver) {
    CUdevice found = 0;
    CUresult result = driver.DeviceGet(&found, device);
    if (result != CUDA_SUCCESS) {
      return result;
    }
    runtime::SetCurrentDevice(device);
    return driver.CtxSetCurrent(runtime::PrimaryContext(device));
  });
}

cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned int, unsigned int) {
  return WithDriver([&](const Driver&) {
    return runtime::PrimaryContext(device) == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
  });
}

cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  *device = runtime::CurrentDevice();
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }

cudaError_t CUDARTAPI cudaDeviceSynchronize() {
  return WithContext([](const Driver& driver) { return driver.CtxSynchronize(nullptr); });
}

cudaError_t CUDARTAPI cudaDeviceReset() {
  return WithDriver(
      [](const Driver& driver) { return driver.DevicePrimaryCtxReset(runtime::CurrentDevice()); });
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return WithDriver([&](const Driver& driver) {
    return driver.DeviceGetAttribute(value, static_cast<CUdevice_attribute>(attribute), device);
  });
}

cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return WithDriver([&](const Driver& driver) {
    std::memset(properties, 0, sizeof *properties);
    auto get = [&](CUdevice_attribute attribute) {
      int value = 0;
      driver.DeviceGetAttribute(&value, attribute, device);
      return value;
    };
    CUresult result = driver.DeviceGetName(properties->name, sizeof properties->name, device);
    driver.DeviceTotalMem(&properties->totalGlobalMem, device);
    properties->major = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    properties->minor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    properties->multiProcessorCount = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    properties->maxThreadsPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    properties->sharedMemPerBlock = get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    properties->warpSize = get(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    properties->textureAlignment = get(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    properties->texturePitchAlignment = get(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT);
    properties->unifiedAddressing = get(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
    properties->managedMemory = get(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
    properties->concurrentKernels = get(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
    properties->canMapHostMemory = get(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
    properties->asyncEngineCount = get(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT);
    return result;
  });
}

cudaError_t CUDARTAPI cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return WithContext(
      [&](const Driver& driver) { return driver.CtxGetStreamPriorityRange(least, greatest); });
}

cudaError_t CUDARTAPI cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return WithDriver(
      [&](const Driver& driver) { return driver.DeviceCanAccessPeer(can, device, peer); });
}
cudaError_t CUDARTAPI cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return WithContext([&](const Driver& driver) {
    return driver.CtxEnablePeerAccess(runtime::PrimaryContext(peer), flags);
  });
}
cudaError_t CUDARTAPI cudaDeviceDisablePeerAccess(int peer) {
  return WithContext([&](const Driver& driver) {
    return driver.CtxDisablePeerAccess(runtime::PrimaryContext(peer));
  });
}

cudaError_t CUDARTAPI cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return WithDriver(
      [&](const Driver& driver) { return driver.DeviceGetDefaultMemPool(pool, device); });
}
cudaError_t CUDARTAPI cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return WithDriver([&](const Driver& driver) { return driver.DeviceGetMemPool(pool, device); });
}
cudaError_t CUDARTAPI cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return WithDriver([&](const Driver& driver) { return driver.DeviceSetMemPool(device, pool); });
}

cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  return WithDriver([&](const Driver& driver) { return driver.DriverGetVersion(version); });
}
cudaError_t CUDARTAPI cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

}  // extern "C"
