// A kernel gets the end of an allocation and writes every third element from there to its start:
// the machine code multiplies the index by a negative number.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction every_third = CodeKernel(CODE_EVERY_THIRD);
  CUdeviceptr data = NewMemory(3 * 4096), end = data + 3 * 4096;
  int n = 1024;
  void* arguments[] = {&end, &n};
  OK(cuLaunchKernel(every_third, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  float value;
  OK(cuMemcpyDtoH(&value, data + 2 * 4, 4));
  CHECK(value == 1);
  Close(data);
}
