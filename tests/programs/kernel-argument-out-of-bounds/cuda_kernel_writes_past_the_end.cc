// Defect: A kernel that writes one element for each thread has more threads than the buffer has
// elements.
// Fix: It has as many threads as elements.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_fill
// EXPECT-FACT outside_bytes=96
// EXPECT-FACT launch_size=4 x 1 x 1 blocks of 256 x 1 x 1 threads
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction fill = CodeKernel(CODE_FILL);
  // The device maps memory in larger pieces, so that the kernel does not fault.
  const CUdeviceptr room = NewMemory(1 << 20);
  const CUdeviceptr data = NewMemory(4000);
  int value = 7;
  void* arguments[] = {(void*)&data, &value};
#ifdef DEFECT
  const unsigned blocks = 4, threads = 256;
#else
  const unsigned blocks = 4, threads = 250;
#endif
  // @HERE
  OK(cuLaunchKernel(fill, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Close(data, room);
}
