// Defect: The CPU reads managed memory while a kernel that writes it is pending.
// Fix: The host waits for the kernel first.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=RAW
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr memory, next;
  OK(cuMemAllocManaged(&memory, 2048, CU_MEM_ATTACH_GLOBAL));
  int value = 7;
  void* arguments[] = {&memory, &value};
  // @LAUNCH
  OK(cuLaunchKernel(fill, 16, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @READ
  const int first = reinterpret_cast<volatile int*>(memory)[20];
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  (void)first;
#else
  CHECK(first == 7);
#endif
  // Memory of its own is free, also while the kernel runs again.
  OK(cuMemAllocManaged(&next, 65536, CU_MEM_ATTACH_GLOBAL));
  OK(cuLaunchKernel(fill, 16, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  reinterpret_cast<volatile int*>(next)[20] = 1;
  OK(cuStreamSynchronize(stream));
  CHECK(reinterpret_cast<volatile int*>(memory)[511] == 7);
  OK(cuMemFree(next));
  OK(cuMemFree(memory));
  OK(cuStreamDestroy(stream));
  Close();
}
