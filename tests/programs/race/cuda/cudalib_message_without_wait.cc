// Defect: A program passes device memory to MPI while a kernel still writes it. MPI knows no streams.
// Fix: The program waits for the stream first.
// EXPECT error race MPI_Send at HERE
// EXPECT-PARTY pending-command at KERNEL
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUfunction fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  CUdeviceptr halo = NewMemory(kBytes);
  int value = 1;
  void* arguments[] = {&halo, &value};
  // @KERNEL
  OK(cuLaunchKernel(fill, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  DONE(MPI_Send((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr));
  OK(cuCtxSynchronize());
  Close(halo, stream);
}
