// cuBLAS and cuFFT as programs use them, on streams of their own.
#include <cublas_v2.h>
#include <cufft.h>

#include "check.h"

int main() {
  constexpr int kSize = 256;
  const std::vector<float> ramp = Ramp(kSize * kSize);
  float *a, *b, *c;
  for (float** matrix : {&a, &b, &c}) CHECK(cudaMalloc(matrix, ramp.size() * sizeof(float)));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cublasHandle_t blas;
  if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasSetStream(blas, stream);
  cublasSetMatrix(kSize, kSize, sizeof(float), ramp.data(), kSize, a, kSize);
  cublasSetMatrix(kSize, kSize, sizeof(float), ramp.data(), kSize, b, kSize);
  CHECK(cudaDeviceSynchronize());
  const float one = 1, zero = 0;
  std::vector<float> result(ramp.size());
  for (int i = 0; i < 3; ++i) {
    if (cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, kSize, kSize, kSize, &one, a, kSize, b, kSize, &zero, c, kSize) !=
        CUBLAS_STATUS_SUCCESS) {
      return 1;
    }
  }
  CHECK(cudaMemcpyAsync(result.data(), c, result.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  PrintChecksum("gemm", result.data(), result.size() * sizeof(float));
  cublasDestroy(blas);
  cufftHandle plan;
  if (cufftPlan2d(&plan, kSize, kSize / 2, CUFFT_C2C) != CUFFT_SUCCESS) return 1;
  cufftSetStream(plan, stream);
  cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(a), reinterpret_cast<cufftComplex*>(c), CUFFT_FORWARD);
  cufftExecC2C(plan, reinterpret_cast<cufftComplex*>(c), reinterpret_cast<cufftComplex*>(b), CUFFT_INVERSE);
  CHECK(cudaMemcpyAsync(result.data(), b, result.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  PrintChecksum("fft", result.data(), result.size() * sizeof(float));
  cufftDestroy(plan);
  for (float* matrix : {a, b, c}) CHECK(cudaFree(matrix));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
