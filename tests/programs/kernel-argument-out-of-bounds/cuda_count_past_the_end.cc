// Defect: A kernel gets a count of elements that is greater than the buffer has.
// Fix: The count is that of the buffer.
// EXPECT error kernel-argument-out-of-bounds cuLaunchKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=code_set
// EXPECT-FACT outside_bytes=4
// EXPECT-FACT last_byte=4003
#include "common/cuda_machine_code.h"

int main() {
  Open();
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
  Close(data, room);
}
