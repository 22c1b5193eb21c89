// Defect: A program of the CUDA runtime uploads the operand of a product of cuBLAS on another stream.
// Fix: The upload is enqueued to the stream of the product.
// EXPECT error race cublasSgemm_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-TEXT after cudaMemcpyAsync in its stream .cudaEventRecord. .*.cudaStreamWaitEvent
#include "common/fake_libraries.h"
#include "common/cudart.h"

int main() {
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  char *a = NewZeros(kBytes), *c = NewZeros(kBytes), *data = NewPinned(kBytes);
  cudaStream_t first, second;
  OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
#ifdef DEFECT
  cudaStream_t stream = second;
#else
  cudaStream_t stream = first;
#endif
  const float one = 1, zero = 0;
  // @UPLOAD
  OK(cudaMemcpyAsync(a, data, kBytes, cudaMemcpyHostToDevice, stream));
  // @HERE
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)a, kSize,
                      &zero, (float*)c, kSize));
  OK(cudaDeviceSynchronize());
  DONE(cublasDestroy_v2(handle));
  OK(cudaStreamDestroy(second));
  OK(cudaStreamDestroy(first));
  OK(cudaFreeHost(data));
  OK(cudaFree(c));
  OK(cudaFree(a));
  Close();
}
