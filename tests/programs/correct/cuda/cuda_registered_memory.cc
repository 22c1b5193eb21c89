// A host block is registered, used by copies and as mapped memory, unregistered and freed.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUdeviceptr buffer = NewMemory(65536);
  for (int round = 0; round < 3; ++round) {
    float* data = (float*)malloc(65536);
    for (int i = 0; i < 16384; ++i) data[i] = i;
    OK(cuMemHostRegister(data, 65536, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemcpyHtoDAsync(buffer, data, 65536, stream));
    CUdeviceptr mapped;
    OK(cuMemHostGetDevicePointer(&mapped, data, 0));
    void* arguments[] = {&mapped};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    OK(cuStreamSynchronize(stream));
    CHECK(data[1023] == 2046);
    OK(cuMemHostUnregister(data));
    free(data);
  }
  Close(buffer, stream);
}
