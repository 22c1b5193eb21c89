// Structures and plain arguments keep pointers to freed memory and NULL, and an argument or a
// condition keeps the kernels from using them.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction unused = CodeKernel(CODE_UNUSED), tiles = CodeKernel(CODE_TILES),
             choose = CodeKernel(CODE_CHOOSE);
  CUdeviceptr in = NewZeros(4096), out = NewMemory(4096), null = 0;
  void* not_used[] = {&in, &null, &out};
  OK(cuLaunchKernel(unused, 4, 1, 1, 256, 1, 1, 0, nullptr, not_used, nullptr));
  int first = 1;
  void* not_chosen[] = {&out, &null, &first};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, nullptr, not_chosen, nullptr));
  OK(cuCtxSynchronize());
  struct {
    alignas(16) CUdeviceptr out, in;
  } buffers = {out, in};
  OK(cuMemFree(out));
  OK(cuMemFree(in));
  // No element is left to do.
  int n = 0;
  void* nothing[] = {&n, &buffers};
  OK(cuLaunchKernel(tiles, 1, 1, 1, 128, 1, 1, 0, nullptr, nothing, nullptr));
  OK(cuCtxSynchronize());
  Close();
}
