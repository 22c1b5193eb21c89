// Defect: Kernels on two streams write the same elements in two paths.
// Fix: The second kernel has an output of its own.
// EXPECT error race cuLaunchKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT byte_range=0 to 8591
// EXPECT-FACT earlier_byte_range=0 to 8591
#include <initializer_list>

#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction tiles = CodeKernel(CODE_TILES);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr in = NewZeros(1 << 14), out = NewZeros(1 << 14), own = NewZeros(1 << 14);
  int count = 2148;
  CUdeviceptr one[] = {out, in}, other[] = {own, in};
#ifdef DEFECT
  other[0] = out;
#endif
  void *arguments[] = {&count, one}, *more[] = {&count, other};
  // @FIRST
  OK(cuLaunchKernel(tiles, 5, 1, 1, 128, 1, 1, 0, first, arguments, nullptr));
  // @SECOND
  OK(cuLaunchKernel(tiles, 5, 1, 1, 128, 1, 1, 0, second, more, nullptr));
  OK(cuCtxSynchronize());
  for (CUdeviceptr memory : {in, out, own}) OK(cuMemFree(memory));
  Close(second, first);
}
