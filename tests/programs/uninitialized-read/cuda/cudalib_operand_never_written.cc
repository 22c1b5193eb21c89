// Defect: An operand of a product was never written.
// Fix: The operand is uploaded before the product.
// EXPECT warning uninitialized-read cublasSgemm_v2 at HERE
// EXPECT-TEXT which nothing has written
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
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
  Close(stream);
}
