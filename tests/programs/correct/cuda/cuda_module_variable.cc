// A variable of a module is written by the host and read by a kernel, and goes with its module.
#include "common/cuda.h"

int main() {
  Open();
  for (int round = 0; round < 2; ++round) {
    CUfunction look_up = Kernel(KERNEL_LOOK_UP);
    float table[256], result[1024];
    for (int i = 0; i < 256; ++i) table[i] = i + round;
    CUdeviceptr variable, out = NewMemory(4096);
    size_t bytes;
    OK(cuModuleGetGlobal(&variable, &bytes, module_of_kernels, MODULE_TABLE));
    OK(cuMemcpyHtoD(variable, table, bytes));
    void* arguments[] = {&out};
    OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    OK(cuMemcpyDtoH(result, out, 4096));
    CHECK(result[1023] == 255 + round);
    OK(cuMemcpyDtoH(table, variable, bytes));
    OK(cuMemFree(out));
    OK(cuModuleUnload(module_of_kernels));
    module_of_kernels = nullptr;
  }
  Close();
}
