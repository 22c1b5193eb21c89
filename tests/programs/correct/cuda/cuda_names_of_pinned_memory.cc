// Pinned memory goes by its host address, by its device address, and by addresses inside of both.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUfunction twice = Kernel(KERNEL_TWICE);
  void* host;
  OK(cuMemHostAlloc(&host, 8192, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  float* data = (float*)host;
  for (int i = 0; i < 2048; ++i) data[i] = (float)i;
  CUdeviceptr alias, inner;
  OK(cuMemHostGetDevicePointer(&alias, host, 0));
  OK(cuMemHostGetDevicePointer(&inner, data + 1024, 0));
  CHECK(inner == alias + 4096);
  CUdeviceptr device_memory = NewMemory(8192);
  OK(cuMemcpyHtoDAsync(device_memory, data + 1024, 4096, stream));
  OK(cuMemcpyDtoDAsync(device_memory + 4096, alias, 4096, stream));
  void* arguments[] = {&device_memory};
  OK(cuLaunchKernel(twice, 8, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuMemcpyDtoHAsync(data, device_memory, 4096, stream));
  OK(cuMemcpyAsync(inner, device_memory + 4096, 4096, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(data[0] == 2048 && data[1024] == 0 && data[2047] == 2046);
  void* on_host[] = {&inner};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, on_host, nullptr));
  OK(cuStreamSynchronize(stream));
  CHECK(data[2047] == 4092);
  OK(cuMemsetD8(alias, 0, 4096));
  CHECK(data[0] == 0);
  OK(cuMemFree(device_memory));
  OK(cuMemFreeHost(host));

  // A part of a block is registered; the rest stays as it is.
  char* block = (char*)aligned_alloc(4096, 3 * 4096);
  memset(block, 9, 3 * 4096);
  OK(cuMemHostRegister(block + 4096, 4096, CU_MEMHOSTREGISTER_PORTABLE));
  device_memory = NewMemory(3 * 4096);
  OK(cuMemcpyHtoDAsync(device_memory + 4096, block + 4096, 4096, stream));
  OK(cuMemcpyHtoD(device_memory, block, 4096));
  OK(cuMemcpyHtoD(device_memory + 2 * 4096, block + 2 * 4096, 4096));
  OK(cuStreamSynchronize(stream));
  OK(cuMemHostUnregister(block + 4096));
  memset(block, 0, 3 * 4096);
  OK(cuMemcpyDtoH(block, device_memory, 3 * 4096));
  CHECK(block[0] == 9 && block[3 * 4096 - 1] == 9);
  free(block);
  Close(device_memory, stream);
}
