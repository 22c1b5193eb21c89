// Less memory than there is, while the pool of the device holds some.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr ordered, more;
  OK(cuMemAllocAsync(&ordered, 64 << 20, stream));
  OK(cuStreamSynchronize(stream));
  const size_t bytes = (size_t)1 << 20;
  if (cuMemAlloc(&more, bytes) == CUDA_SUCCESS) OK(cuMemFree(more));
  OK(cuMemFreeAsync(ordered, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
  Close();
}
