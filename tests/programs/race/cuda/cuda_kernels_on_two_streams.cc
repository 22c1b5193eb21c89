// Defect: A kernel reads what a kernel on another stream writes, by pointers that are not const.
// Fix: The second stream waits for the event of the first.
// EXPECT error race cuLaunchKernel at READS
// EXPECT-PARTY pending-command at WRITES
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=code_copy
// EXPECT-FACT argument=0
// EXPECT-FACT byte_range=0 to 4095
// EXPECT-FACT launch_size=4 x 1 x 1 blocks of 256 x 1 x 1 threads
// EXPECT-FACT earlier_kernel=code_fill
// EXPECT-FACT earlier_byte_range=0 to 4095
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction fill = CodeKernel(CODE_FILL), copy = CodeKernel(CODE_COPY);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(4096), out = NewZeros(4096);
  int value = 7;
  void *filled[] = {&data, &value}, *copied[] = {&data, &out};
  CUevent done = NewEvent();
  // @WRITES
  OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, first, filled, nullptr));
  OK(cuEventRecord(done, first));
#ifndef DEFECT
  OK(cuStreamWaitEvent(second, done, 0));
#endif
  // @READS
  OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, second, copied, nullptr));
  OK(cuCtxSynchronize());
  Close(done, out, data, second, first);
}
