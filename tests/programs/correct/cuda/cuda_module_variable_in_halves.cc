// Two streams upload the halves of a variable of a module, whose size the program does not ask for; a kernel that reads
// it waits for both. The module is unloaded, loaded again, and its variable used again.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  float *data = (float*)NewPinned(1024), *result = (float*)NewPinned(4096);
  CUdeviceptr out = NewMemory(4096);
  for (int round = 0; round < 2; ++round) {
    CUfunction look_up = Kernel(KERNEL_LOOK_UP);
    CUdeviceptr table;
    OK(cuModuleGetGlobal(&table, nullptr, module_of_kernels, MODULE_TABLE));
    for (int i = 0; i < 256; ++i) data[i] = (float)(i + round);
    OK(cuMemcpyHtoDAsync(table, data, 512, first));
    OK(cuMemcpyHtoDAsync(table + 512, data + 128, 512, second));
    OK(cuEventRecord(uploaded, second));
    OK(cuStreamWaitEvent(first, uploaded, 0));
    void* arguments[] = {&out};
    OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
    OK(cuMemcpyDtoHAsync(result, out, 4096, first));
    OK(cuStreamSynchronize(first));
    CHECK(result[1023] == 255 + round);
    OK(cuModuleUnload(module_of_kernels));
    module_of_kernels = nullptr;
  }
  Close(out, result, data, uploaded, second, first);
}
