// Managed memory is used by the host, copies and kernels in turn, in batches, and attached to
// streams.
#include "common/cuda.h"

// Managed memory is used by host, copies and kernels in turn.
static void InTurn() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUdeviceptr managed;
  OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  float *data = (float*)managed, result[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  void* arguments[] = {&managed};
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  CHECK(data[1023] == 2046);
  OK(cuMemcpyDtoH(result, managed, 4096));
  CHECK(result[1023] == 2046);
  OK(cuMemsetD8(managed, 0, 4096));
  OK(cuCtxSynchronize());
  CHECK(data[1023] == 0);
  Release(managed);
}

// Managed memory is advised, prefetched in batches and discarded, then written anew; the host and
// two streams take turns.
static void InBatches() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS)) return;
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
  Release(b, a, ready, second, first);
}

// Managed memory is attached to the host, to a stream and to all, advised and prefetched; the host
// uses one half while a kernel works in the other block.
static void OfStreams() {
  if (!Attribute(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) ||
      !Attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS))
    return;
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a, b;
  OK(cuMemAllocManaged(&a, 1 << 16, CU_MEM_ATTACH_HOST));
  OK(cuMemAllocManaged(&b, 1 << 16, CU_MEM_ATTACH_GLOBAL));
  float *of_a = (float*)a, *of_b = (float*)b;
  for (int i = 0; i < 16384; ++i) of_a[i] = of_b[i] = 1;
  CUmemLocation device_location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUmemLocation host_location = {CU_MEM_LOCATION_TYPE_HOST, 0};
  OK(cuMemAdvise(b, 1 << 16, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device_location));
  OK(cuMemAdvise(b, 1 << 15, CU_MEM_ADVISE_SET_ACCESSED_BY, host_location));
  OK(cuStreamAttachMemAsync(first, a, 0, CU_MEM_ATTACH_SINGLE));
  OK(cuStreamSynchronize(first));
  OK(cuMemPrefetchAsync(a, 1 << 16, device_location, 0, first));
  OK(cuMemPrefetchAsync(b, 1 << 16, device_location, 0, second));
  void* arguments[] = {&a};
  OK(cuLaunchKernel(twice, 64, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  for (int i = 0; i < 16384; ++i) of_b[i] += 1;  // of the other block
  OK(cuMemPrefetchAsync(a, 1 << 16, host_location, 0, first));
  OK(cuStreamAttachMemAsync(first, a, 0, CU_MEM_ATTACH_HOST));
  OK(cuStreamSynchronize(first));
  CHECK(of_a[16383] == 2 && of_b[0] == 2);
  OK(cuStreamAttachMemAsync(first, a, 0, CU_MEM_ATTACH_GLOBAL));
  OK(cuStreamSynchronize(first));
  OK(cuMemAdvise(b, 1 << 16, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, device_location));
  OK(cuMemcpyDtoDAsync(a, b, 1 << 16, second));
  OK(cuStreamSynchronize(second));
  memcpy(of_b, of_a, 1 << 16);
  OK(cuMemcpyHtoD(a, of_b, 1 << 15));  // the host's name of managed memory
  OK(cuMemcpyDtoH(of_b + 8192, a, 1 << 15));
  CHECK(of_b[16383] == 2);
  Release(b, a, second, first);
}

int main() {
  Open();
  InTurn();
  InBatches();
  OfStreams();
  Close();
}
