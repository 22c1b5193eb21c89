// Defect: Products of cuBLAS read matrices that nothing has written.
// Fix: The matrices are written in front of the product.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Defect: An operand of a product was never written.
// Fix: The operand is uploaded before the product.
// EXPECT warning uninitialized-read cublasSgemm_v2 at HERE
// EXPECT-TEXT which nothing has written
static void OperandNeverWritten() {
  CUstream stream = NewStream();
  cublasHandle_t blas;
  DONE(cublasCreate_v2(&blas));
  DONE(cublasSetStream_v2(blas, stream));
  static float data[32 * 32];
  const CUdeviceptr a = NewMemory(sizeof(data));
  const CUdeviceptr b = NewZeros(sizeof(data)), c = NewMemory(sizeof(data));
  const auto matrix = [](CUdeviceptr memory) { return (float*)(uintptr_t)memory; };
  const float one = 1, zero = 0;
#ifndef DEFECT
  OK(cuMemcpyHtoDAsync(a, data, sizeof(data), stream));
#endif
  // @HERE
  DONE(cublasSgemm_v2(blas, 0, 0, 32, 32, 32, &one, matrix(a), 32, matrix(b), 32, &zero, matrix(c),
                      32));
  OK(cuStreamSynchronize(stream));
  DONE(cublasDestroy_v2(blas));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Release(stream);
}

// Defect: A product is added to a result that nothing has written, because beta is 1.
// Fix: beta is 0: the old values are not read.
// EXPECT warning uninitialized-read cublasSgemm_v2 at HERE_2
// EXPECT-TEXT which nothing has written
static void ProductAddedToNothing() {
  CUstream stream = NewStream();
  cublasHandle_t blas;
  DONE(cublasCreate_v2(&blas));
  DONE(cublasSetStream_v2(blas, stream));
  const CUdeviceptr a = NewZeros(4096), b = NewZeros(4096);
  const CUdeviceptr c = NewMemory(4096);
  const CUdeviceptr other = NewMemory(4096);
  const auto matrix = [](CUdeviceptr memory) { return (float*)(uintptr_t)memory; };
  const float one = 1, zero = 0;
#ifdef DEFECT
  const float beta = one;
#else
  const float beta = zero;
#endif
  // @HERE_2
  DONE(cublasSgemm_v2(blas, 0, 0, 32, 32, 32, &one, matrix(a), 32, matrix(b), 32, &beta, matrix(c),
                      32));
  // The library reads what it has written.
  DONE(cublasSgemm_v2(blas, 0, 0, 32, 32, 32, &one, matrix(c), 32, matrix(b), 32, &zero,
                      matrix(other), 32));
  DONE(cublasSaxpy_v2(blas, 1024, &one, matrix(other), 1, matrix(c), 1));
  OK(cuStreamSynchronize(stream));
  DONE(cublasDestroy_v2(blas));
  for (CUdeviceptr memory : {a, b, c, other}) OK(cuMemFree(memory));
  Release(stream);
}

int main() {
  Open();
  OperandNeverWritten();
  ProductAddedToNothing();
  Close();
}
