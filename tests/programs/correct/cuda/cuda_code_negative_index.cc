// A kernel counts negative indices from the end of an array, on one stream. Another stream reads the elements that these
// indices would have without that: they lie in front of the array, in the same allocation.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction set = CodeKernel(CODE_FROM_END);
  CUdeviceptr data;
  OK(cuMemAlloc(&data, 8192));
  OK(cuMemsetD8(data, 0, 8192));
  OK(cuCtxSynchronize());
  CUstream writer, reader;
  OK(cuStreamCreate(&writer, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&reader, CU_STREAM_NON_BLOCKING));
  // The last 256 of the 1024 elements behind the first 1024.
  CUdeviceptr array = data + 4096;
  long long size = 1024, first = -256, count = 256;
  void* arguments[] = {&array, &size, &first, &count};
  OK(cuLaunchKernel(set, 1, 1, 1, 256, 1, 1, 0, writer, arguments, nullptr));
  void* host;
  OK(cuMemAllocHost(&host, 4096));
  OK(cuMemcpyDtoHAsync(host, data, 4096, reader));
  OK(cuStreamSynchronize(reader));
  OK(cuStreamSynchronize(writer));
  Close(host, data, writer, reader);
}
