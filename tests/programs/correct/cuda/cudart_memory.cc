// Managed memory and pools of the runtime, and a device that is reset behind the last free.
#include "common/cudart.h"

// Managed memory is used by host and device in turn, with advice and prefetching.
static void ManagedMemory() {
  const void* twice = Kernel(KERNEL_TWICE);
  float* data;
  OK(cudaMallocManaged((void**)&data, 4096, cudaMemAttachGlobal));
  for (int i = 0; i < 1024; ++i) data[i] = i;
  void* arguments[] = {&data};
  OK(cudaLaunchKernel(twice, dim3(4), dim3(256), arguments, 0, nullptr));
  OK(cudaDeviceSynchronize());
  CHECK(data[1023] == 2046);
  const cudaMemLocation there = {cudaMemLocationTypeDevice, 0};
  cudaMemPrefetchAsync(data, 4096, there, 0, nullptr);  // some systems cannot
  OK(cudaMemset(data, 0, 4096));
  OK(cudaDeviceSynchronize());
  CHECK(data[0] == 0);
  OK(cudaFree(data));
  Close();
}

// A pool of the program's own gives out memory in stream order, keeps what is freed, and is
// destroyed.
static void Pool() {
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

// A device is reset behind the last free, and used again.
static void DeviceReset() {
  for (int round = 0; round < 2; ++round) {
    char* buffer = NewZeros(4096);
    char* data = NewPinned(4096);
    OK(cudaMemcpy(data, buffer, 4096, cudaMemcpyDeviceToHost));
    OK(cudaFreeHost(data));
    OK(cudaFree(buffer));
    OK(cudaDeviceReset());
  }
}

int main() {
  ManagedMemory();
  Pool();
  DeviceReset();
}
