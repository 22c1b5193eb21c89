// Kernels on several streams read one table, and each writes its own part of one result.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream streams[4];
  CUdeviceptr table = NewZeros(4096), out = NewMemory(4 * 4096);
  float* result = (float*)NewPinned(4 * 4096);
  int n = 1024;
  for (int i = 0; i < 4; ++i) {
    streams[i] = NewStream();
    CUdeviceptr part = out + i * 4096;
    void* arguments[] = {&table, &table, &part, &n};
    OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    OK(cuMemcpyDtoHAsync(result + i * 1024, part, 4096, streams[i]));
  }
  OK(cuCtxSynchronize());
  CHECK(result[4095] == 0);
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close(result, out, table);
}
