// Defect: A program gathers the parts of all ranks into device memory while a kernel still writes one of the parts.
// Fix: The kernel writes the gap between the parts.
// EXPECT error race MPI_Allgatherv at HERE
// EXPECT-PARTY pending-command at KERNEL
// EXPECT-FACT hazard=WAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kPart = 256, kBytes = 3 * kPart * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr part = NewZeros(kPart * sizeof(float)), all = NewZeros(kBytes);
  const CUfunction fill = Kernel(KERNEL_FILL);
  const int counts[2] = {kPart, kPart}, starts[2] = {0, 2 * kPart};
  int value = 1;
#ifdef DEFECT
  CUdeviceptr target = all + 2 * kPart * sizeof(float);
#else
  CUdeviceptr target = all + kPart * sizeof(float);
#endif
  void* arguments[] = {&target, &value};
  // @KERNEL
  OK(cuLaunchKernel(fill, 1, 1, 1, kPart, 1, 1, 0, stream, arguments, nullptr));
  // @HERE
  DONE(MPI_Allgatherv((void*)part, kPart, &kMpiFloat, (void*)all, counts, starts, &kMpiFloat,
                      nullptr));
  OK(cuCtxSynchronize());
  Close(all, part, stream);
}
