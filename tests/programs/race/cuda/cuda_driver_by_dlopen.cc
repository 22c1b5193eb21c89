// Defect: A program that loads the driver itself uploads on one stream and downloads on another.
// Fix: Both are on one stream.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include <dlfcn.h>

#include "common/cuda.h"

int main() {
  Open();
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto upload = (decltype(&cuMemcpyHtoDAsync))dlsym(driver, "cuMemcpyHtoDAsync_v2");
  auto download = (decltype(&cuMemcpyDtoHAsync))dlsym(driver, "cuMemcpyDtoHAsync_v2");
  CUstream first = NewStream(), second = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  // @UPLOAD
  OK(upload(buffer, data, 4096, first));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE
  OK(download(result, buffer, 4096, stream));
  OK(cuCtxSynchronize());
  Close(buffer, result, data, second, first);
}
