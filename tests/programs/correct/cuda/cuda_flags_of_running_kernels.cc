// A kernel is stopped by a flag that is written while it runs, by a copy, a fill and a value
// of a stream, and its progress is read while it runs: words that both touch on purpose.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction count = Kernel(KERNEL_COUNT);
  CUstream work = NewStream(), talk = NewStream();
  // Of a control block, and words of their own.
  CUdeviceptr block = NewZeros(4096), flag = NewZeros(4), progress = NewZeros(4);
  unsigned *seen = (unsigned*)NewPinned(8), *stop = (unsigned*)NewPinned(8);
  *stop = 1;
  const CUdeviceptr words[] = {block, flag, progress};
  for (CUdeviceptr word : words) {
    for (int round = 0; round < 3; ++round) {
      void* arguments[] = {&word};
      OK(cuLaunchKernel(count, 1, 1, 1, 8, 1, 1, 0, work, arguments, nullptr));
      OK(cuMemcpyDtoHAsync(seen, word, 4, talk));
      OK(cuLaunchKernel(count, 1, 1, 1, 8, 1, 1, 0, work, arguments, nullptr));
      OK(cuStreamSynchronize(talk));
      CHECK(*seen <= 16);
      OK(cuMemcpyHtoDAsync(word, stop, 4, talk));
      OK(cuMemsetD32Async(word, 1, 1, talk));
      OK(cuStreamSynchronize(talk));
      OK(cuStreamWriteValue32(talk, word, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
      OK(cuStreamSynchronize(talk));
      OK(cuStreamSynchronize(work));
      OK(cuMemsetD32(word, 0, 1));
      OK(cuCtxSynchronize());
    }
  }
  Close(stop, seen, progress, flag, block, talk, work);
}
