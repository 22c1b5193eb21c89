// Managed memory is advised, prefetched in batches and discarded, then written anew; the host and
// two streams take turns.
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS));
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUevent ready = NewEvent();
  CUdeviceptr a, b;
  OK(cuMemAllocManaged(&a, 65536, CU_MEM_ATTACH_GLOBAL));
  OK(cuMemAllocManaged(&b, 65536, CU_MEM_ATTACH_GLOBAL));
  const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  const CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  OK(cuMemAdvise(a, 65536, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
  OK(cuMemAdvise(b, 65536, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  for (int round = 0; round < 3; ++round) {
    float *in = (float*)a, *out = (float*)b;
    for (int i = 0; i < 1024; ++i) in[i] = out[i] = (float)i;
    OK(cuMemPrefetchAsync(a, 65536, here, 0, first));
    OK(cuMemPrefetchAsync(b, 65536, here, 0, first));
    OK(cuEventRecord(ready, first));
    OK(cuStreamWaitEvent(second, ready, 0));
    void* arguments[] = {&b};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, second, arguments, nullptr));
    OK(cuMemPrefetchAsync(b, 65536, host, 0, second));
    OK(cuStreamSynchronize(second));
    CHECK(out[1023] == 2046 && in[1023] == 1023);
  }
  Close(b, a, ready, second, first);
}
