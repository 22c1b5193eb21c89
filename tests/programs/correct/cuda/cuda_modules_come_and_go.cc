// Modules are loaded and unloaded many times: handles of functions and variables are used again, for
// others than before.
#include "common/cuda.h"

int main() {
  Open();
  const char* names[] = {KERNEL_FILL, KERNEL_TWICE, KERNEL_NOTHING, KERNEL_COUNT};
  CUdeviceptr data = NewZeros(4096);
  for (int round = 0; round < 64; ++round) {
    CUmodule module, other;
    CUfunction function;
    OK(cuModuleLoadData(&module, kKernels));
    OK(cuModuleLoadData(&other, kKernels));
    OK(cuModuleGetFunction(&function, round % 2 != 0 ? module : other, names[round % 4]));
    CUdeviceptr table;
    size_t bytes;
    OK(cuModuleGetGlobal(&table, &bytes, other, MODULE_TABLE));
    OK(cuMemsetD32(table, 0, bytes / 4));
    int value = round;
    void* arguments[] = {&data, &value};
    OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    // Unloading waits for what runs.
    OK(cuModuleUnload(other));
    OK(cuModuleUnload(module));
  }
  Close(data);
}
