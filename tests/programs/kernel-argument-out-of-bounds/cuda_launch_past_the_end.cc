// Defect: A kernel gets a count of more elements than its buffer has, and another one has more
// threads.
// Fix: The count and the threads are those of the buffer.
#include "common/cuda_machine_code.h"

// Defect: A kernel gets a count of elements that is greater than the buffer has.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
// EXPECT-FACT last_byte=4003
static void CountPastTheEnd() {
  CUfunction set = CodeKernel(CODE_SET);
  // The device maps memory in larger pieces, so that the kernel does not fault.
  const CUdeviceptr room = NewMemory(1 << 20);
  const CUdeviceptr data = NewMemory(4000);
#ifdef DEFECT
  int count = 1001;
#else
  int count = 1000;
#endif
  int value = 5;
  void* arguments[] = {(void*)&data, &value, &count};
  // @HERE
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(data, room);
}

// Defect: A kernel that writes one element for each thread has more threads than the buffer has
// elements.
// Fix: It has as many threads as elements.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE_2
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_fill
// EXPECT-FACT outside_bytes=96
// EXPECT-FACT launch_size=4 x 1 x 1 blocks of 256 x 1 x 1 threads
static void KernelWritesPastTheEnd() {
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
  // @HERE_2
  OK(cuLaunchKernel(fill, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  Release(data, room);
}

int main() {
  Open();
  CountPastTheEnd();
  KernelWritesPastTheEnd();
  Close();
}
