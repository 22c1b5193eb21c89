// Unrolled element-wise kernels of two streams write parts of one buffer that have no byte in
// common: two halves with more threads than elements, even and odd elements, one half from its end
// on, and halves with fewer threads than elements.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction each = CodeKernel(CODE_EACH);
  CUdeviceptr in = NewZeros(8000), out = NewZeros(8000);
  const auto launch = [&](CUstream stream, unsigned blocks, CUdeviceptr data, int stride) {
    long long count = 1000;
    Array from = {in, 8000, 2000, 4}, to = {data, 8000, 1000, stride};
    void* arguments[] = {&from, &to, &count};
    OK(cuLaunchKernel(each, blocks, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr));
  };
  const auto launch_both = [&](unsigned blocks, CUdeviceptr low, int low_stride, CUdeviceptr high,
                               int high_stride) {
    launch(first, blocks, low, low_stride);
    launch(second, blocks, high, high_stride);
    OK(cuCtxSynchronize());
  };
  launch_both(8, out, 4, out + 4000, 4);
  launch_both(16, out, 8, out + 4, 8);
  launch_both(8, out + 3996, -4, out + 4000, 4);
  launch_both(2, out, 4, out + 4000, 4);
  Close(out, in, second, first);
}
