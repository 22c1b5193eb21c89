// Data in chunks, each with a stream of its own, that share one read-only table: uploads,
// kernels and downloads overlap.
#include "common/cudart.h"

int main() {
  enum { chunks = 4, n = 1024 };
  const void* add = Kernel(KERNEL_ADD);
  float* data = (float*)NewPinned(chunks * n * sizeof(float));
  float* result = (float*)NewPinned(chunks * n * sizeof(float));
  float table[n];
  for (int i = 0; i < chunks * n; ++i) data[i] = i;
  for (int i = 0; i < n; ++i) table[i] = 1;
  float *in, *out, *shared;
  OK(cudaMalloc((void**)&in, chunks * n * sizeof(float)));
  OK(cudaMalloc((void**)&out, chunks * n * sizeof(float)));
  OK(cudaMalloc((void**)&shared, sizeof(table)));
  OK(cudaMemcpy(shared, table, sizeof(table), cudaMemcpyHostToDevice));
  cudaStream_t streams[chunks];
  for (cudaStream_t& stream : streams)
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < chunks; ++i) {
      float *from = in + i * n, *to = out + i * n;
      int count = n;
      OK(cudaMemcpyAsync(from, data + i * n, n * sizeof(float), cudaMemcpyHostToDevice,
                         streams[i]));
      void* arguments[] = {&from, &shared, &to, &count};
      OK(cudaLaunchKernel(add, dim3(4), dim3(256), arguments, 0, streams[i]));
      OK(cudaMemcpyAsync(result + i * n, to, n * sizeof(float), cudaMemcpyDeviceToHost,
                         streams[i]));
    }
  }
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < chunks * n; ++i) CHECK(result[i] == i + 1);
  for (cudaStream_t stream : streams) OK(cudaStreamDestroy(stream));
  OK(cudaFree(shared));
  OK(cudaFree(out));
  OK(cudaFree(in));
  OK(cudaFreeHost(result));
  OK(cudaFreeHost(data));
  Close();
}
