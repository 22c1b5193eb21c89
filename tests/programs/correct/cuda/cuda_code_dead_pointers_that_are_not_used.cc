// Structures and plain arguments keep pointers to freed memory and NULL, and an argument or a
// condition keeps the kernels from using them.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction unused = CodeKernel(CODE_UNUSED), tiles = CodeKernel(CODE_TILES),
             choose = CodeKernel(CODE_CHOOSE), set = CodeKernel(CODE_SET);
  CUdeviceptr in = NewZeros(4096), out = NewMemory(4096), null = 0, freed = NewMemory(4096);
  void* not_used[] = {&in, &null, &out};
  OK(cuLaunchKernel(unused, 4, 1, 1, 256, 1, 1, 0, nullptr, not_used, nullptr));
  int first = 1;
  void* not_chosen[] = {&out, &null, &first};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, nullptr, not_chosen, nullptr));
  OK(cuMemFree(freed));
  void* freed_not_chosen[] = {&out, &freed, &first};
  OK(cuLaunchKernel(choose, 4, 1, 1, 256, 1, 1, 0, nullptr, freed_not_chosen, nullptr));
  int value = 1, none = 0;
  void* sets_nothing[] = {&freed, &value, &none};
  OK(cuLaunchKernel(set, 4, 1, 1, 256, 1, 1, 0, nullptr, sets_nothing, nullptr));
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
