// The pointers of a launch stand in a structure that is passed by value.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction copy_pair = Kernel(KERNEL_COPY_PAIR);
  static float data[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  struct {
    CUdeviceptr in, out;
  } pair = {NewMemory(4096), NewMemory(4096)};
  OK(cuMemcpyHtoD(pair.in, data, 4096));
  void* arguments[] = {&pair};
  OK(cuLaunchKernel(copy_pair, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  memset(data, 0, sizeof(data));
  OK(cuMemcpyDtoH(data, pair.out, 4096));
  CHECK(data[1023] == 1023);
  Close(pair.out, pair.in);
}
