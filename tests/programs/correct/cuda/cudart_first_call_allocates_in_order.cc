// The first call of the program allocates memory in stream order. The runtime calls the driver
// before it makes a context, and repeats the call.
#include "common/cudart.h"

int main() {
  void* buffer;
  OK(cudaMallocAsync(&buffer, 65536, nullptr));
  OK(cudaMemsetAsync(buffer, 1, 65536, nullptr));
  OK(cudaFreeAsync(buffer, nullptr));
  OK(cudaStreamSynchronize(nullptr));
  Close();
}
