// Accesses to windows of MPI, whose buffers the program uses again when it has completed the
// accesses: by a fence, or by a flush. Several of them read one buffer.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr origin = NewZeros(kBytes), result = NewZeros(kBytes), copy = NewZeros(kBytes);
  const CUfunction kernel = Kernel(KERNEL_COPY);
  int window;
  DONE(MPI_Win_fence(0, &window));
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < 4; ++i)
      DONE(MPI_Put((void*)origin, kCount, &kMpiFloat, 1, i, kCount, &kMpiFloat, &window));
    DONE(MPI_Get((void*)result, kCount, &kMpiFloat, 1, 8, kCount, &kMpiFloat, &window));
    OK(cuMemcpyDtoDAsync(copy, origin, kBytes, stream));
    OK(cuStreamSynchronize(stream));
    if (step % 2 == 0) {
      DONE(MPI_Win_flush(1, &window));
    } else {
      DONE(MPI_Win_fence(0, &window));
    }
    void* arguments[] = {&result, &copy};
    OK(cuLaunchKernel(kernel, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    OK(cuMemsetD8Async(origin, 1, kBytes, stream));
    OK(cuStreamSynchronize(stream));
  }
  Close(copy, result, origin, stream);
}
