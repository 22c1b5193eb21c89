// Upload, kernels and download on one stream, without a wait before the end: a stream is first
// in, first out.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE), copy = Kernel(KERNEL_COPY);
  CUstream stream;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  float *data, *result;
  OK(cuMemAllocHost((void**)&data, 1024 * sizeof(float)));
  OK(cuMemAllocHost((void**)&result, 1024 * sizeof(float)));
  for (int i = 0; i < 1024; ++i) data[i] = i;
  CUdeviceptr in, out;
  OK(cuMemAlloc(&in, 1024 * sizeof(float)));
  OK(cuMemAlloc(&out, 1024 * sizeof(float)));
  for (int round = 0; round < 3; ++round) {
    OK(cuMemcpyHtoDAsync(in, data, 1024 * sizeof(float), stream));
    void* in_place[] = {&in};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, stream, in_place, nullptr));
    void* both[] = {&in, &out};
    OK(cuLaunchKernel(copy, 4, 1, 1, 256, 1, 1, 0, stream, both, nullptr));
    OK(cuMemcpyDtoHAsync(result, out, 1024 * sizeof(float), stream));
  }
  OK(cuStreamSynchronize(stream));
  for (int i = 0; i < 1024; ++i) CHECK(result[i] == 2 * i);
  Close(out, in, result, data, stream);
}
