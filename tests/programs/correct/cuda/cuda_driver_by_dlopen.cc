// The program loads the driver by itself, as other runtimes do, and looks up its functions in
// both ways.
#include <dlfcn.h>

#include "common/cuda.h"

int main() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  CHECK(driver);
  auto get = (decltype(&cuGetProcAddress))dlsym(driver, "cuGetProcAddress_v2");
  auto init = (decltype(&cuInit))dlsym(driver, "cuInit");
  auto retain = (decltype(&cuDevicePrimaryCtxRetain))dlsym(driver, "cuDevicePrimaryCtxRetain");
  auto set_current = (decltype(&cuCtxSetCurrent))dlsym(driver, "cuCtxSetCurrent");
  auto allocate = (decltype(&cuMemAlloc))dlsym(driver, "cuMemAlloc_v2");
  CHECK(get && init && retain && set_current && allocate);
  CHECK(init(0) == CUDA_SUCCESS && retain(&context, 0) == CUDA_SUCCESS &&
        set_current(context) == CUDA_SUCCESS);
  void *fill = nullptr, *download = nullptr, *release = nullptr;
  CHECK(get("cuMemsetD8", &fill, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr) ==
        CUDA_SUCCESS);
  CHECK(get("cuMemcpyDtoH", &download, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) ==
        CUDA_SUCCESS);
  CHECK(get("cuMemFree", &release, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr) == CUDA_SUCCESS);
  static char result[4096];
  CUdeviceptr buffer;
  CHECK(allocate(&buffer, 4096) == CUDA_SUCCESS);
  CHECK(((decltype(&cuMemsetD8))fill)(buffer, 3, 4096) == CUDA_SUCCESS);
  CHECK(((decltype(&cuMemcpyDtoH))download)(result, buffer, 4096) == CUDA_SUCCESS);
  CHECK(result[4095] == 3);
  CHECK(((decltype(&cuMemFree))release)(buffer) == CUDA_SUCCESS);
}
