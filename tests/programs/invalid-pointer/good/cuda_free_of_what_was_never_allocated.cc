// Each variable is freed that an allocation has set.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096), ordered;
  OK(cuMemAllocAsync(&ordered, 4096, stream));
  OK(cuMemFree(buffer));
  OK(cuMemFreeAsync(ordered, stream));
  OK(cuStreamDestroy(stream));
  Close();
}
