// A kernel writes memory whose address it gets as an integer of 64 bits. The memory is then downloaded.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction at = CodeKernel(CODE_AT);
  CUdeviceptr data = NewMemory(4096);
  static float result[1024];
  unsigned long long address = data;
  int count = 1024;
  void* arguments[] = {&address, &count};
  OK(cuLaunchKernel(at, 8, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuMemcpyDtoH(result, data, 4096));
  Close(data);
}
