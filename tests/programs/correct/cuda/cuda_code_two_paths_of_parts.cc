// Kernels on two streams have a path for full blocks and a path for the last one. Each works on its
// part of two buffers: with several blocks, with one that is not full, and in turns.
#include <initializer_list>

#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction tiles = CodeKernel(CODE_TILES);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr in = NewZeros(1 << 14), out = NewZeros(1 << 14);
  for (int count : {700, 1024, 100, 512}) {
    const unsigned blocks = static_cast<unsigned>(count + 511) / 512;
    CUdeviceptr low[] = {out, in}, high[] = {out + count * 4u, in + count * 4u};
    void *arguments[] = {&count, low}, *more[] = {&count, high};
    OK(cuLaunchKernel(tiles, blocks, 1, 1, 128, 1, 1, 0, first, arguments, nullptr));
    OK(cuLaunchKernel(tiles, blocks, 1, 1, 128, 1, 1, 0, second, more, nullptr));
    OK(cuCtxSynchronize());
    float last;
    OK(cuMemcpyDtoH(&last, out + count * 8u - 4, 4));
    CHECK(last == 1);
  }
  Close(out, in, second, first);
}
