// Kernels on two streams read one variable of a module at the same time. An upload of the variable waits for both, and
// a kernel behind it, which does not use the variable, runs beside it.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream(), third = NewStream();
  CUevent done = NewEvent(), also = NewEvent();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP), twice = Kernel(KERNEL_TWICE);
  char* data = NewPinned(1024);
  CUdeviceptr table, a = NewMemory(4096), b = NewMemory(4096), c = NewZeros(4096);
  size_t bytes;
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
  void *to_a[] = {&a}, *to_b[] = {&b}, *of_c[] = {&c};
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, to_a, nullptr));
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, second, to_b, nullptr));
  OK(cuEventRecord(done, first));
  OK(cuEventRecord(also, second));
  OK(cuStreamWaitEvent(third, done, 0));
  OK(cuStreamWaitEvent(third, also, 0));
  OK(cuMemcpyHtoDAsync(table, data, bytes, third));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, of_c, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(data, table, bytes));
  Close(c, b, a, data, also, done, third, second, first);
}
