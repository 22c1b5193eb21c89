// Defect: The address of a variable is looked up after the launch of a kernel that reads it, and an
// upload of the variable on another stream does not wait for the kernel.
// Fix: The upload waits for an event behind the kernel.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
// EXPECT-FACT earlier_kernel=look_up
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent done = NewEvent();
  CUfunction look_up = Kernel(KERNEL_LOOK_UP);
  char* data = NewPinned(1024);
  CUdeviceptr table, out = NewMemory(4096);
  size_t bytes;
  void* arguments[] = {&out};
  // @LAUNCH
  OK(cuLaunchKernel(look_up, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuEventRecord(done, first));
  OK(cuModuleGetGlobal(&table, &bytes, module_of_kernels, MODULE_TABLE));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(table, data, bytes, second));
  OK(cuCtxSynchronize());
  Close(out, data, done, second, first);
}
