// A kernel gets the end of an allocation and works from there to its start.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction backwards = CodeKernel(CODE_BACKWARDS);
  CUdeviceptr data = NewMemory(4096), end = data + 4096;
  int n = 1024;
  void* arguments[] = {&end, &n};
  OK(cuLaunchKernel(backwards, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  float value;
  OK(cuMemcpyDtoH(&value, data, 4));
  CHECK(value == 1);
  Close(data);
}
