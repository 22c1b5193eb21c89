// Every launch gets the base of the memory and an offset: uploads of one part run beside
// kernels on another.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice_from = Kernel(KERNEL_TWICE_FROM);
  CUstream first = NewStream(), second = NewStream();
  float* data = (float*)NewPinned(8192);
  for (int i = 0; i < 2048; ++i) data[i] = i;
  CUdeviceptr buffer = NewMemory(8192);
  OK(cuMemcpyHtoDAsync(buffer + 4096, data + 1024, 4096, first));
  OK(cuStreamSynchronize(first));
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  int offset = 1024;
  void* arguments[] = {&buffer, &offset};
  OK(cuLaunchKernel(twice_from, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(data, buffer, 8192));
  CHECK(data[1023] == 1023 && data[1024] == 2048);
  Close(buffer, data, second, first);
}
