// A pool of the program's own gives out memory in stream order, keeps what is freed, and is
// destroyed.
#include "common/cudart.h"

int main() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  OK(cudaMemPoolCreate(&pool, &properties));
  uint64_t threshold = 1 << 20;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  char* result = NewPinned(65536);
  for (int round = 0; round < 4; ++round) {
    void* buffer;
    OK(cudaMallocFromPoolAsync(&buffer, 65536, pool, stream));
    OK(cudaMemsetAsync(buffer, round, 65536, stream));
    OK(cudaMemcpyAsync(result, buffer, 65536, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(buffer, stream));
  }
  OK(cudaStreamSynchronize(stream));
  CHECK(result[65535] == 3);
  OK(cudaMemPoolTrimTo(pool, 0));
  OK(cudaStreamDestroy(stream));
  OK(cudaMemPoolDestroy(pool));
  OK(cudaFreeHost(result));
  Close();
}
