// Defect: The process forks after a launch whose argument is freed memory.
// Fix: The process forks after a launch with live memory.
// EXPECT error use-after-free cuLaunchKernel at HERE
// EXIT any
#include <sys/wait.h>
#include <unistd.h>

#include "common/cuda.h"

int main() {
  Open();
  CUfunction add = Kernel(KERNEL_ADD);
  // First, so that it is not one past the end of another.
  CUdeviceptr freed = NewMemory(4096), a = NewZeros(4096), b = NewZeros(4096), live;
  OK(cuMemAlloc(&live, 4 << 20));
  OK(cuMemFree(freed));
#ifdef DEFECT
  CUdeviceptr out = freed;
#else
  CUdeviceptr out = live;
#endif
  int n = 1;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  Close(live, b, a);
}
