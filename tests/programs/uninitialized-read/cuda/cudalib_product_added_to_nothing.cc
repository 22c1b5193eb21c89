// Defect: A product is added to a result that nothing has written, because beta is 1.
// Fix: beta is 0: the old values are not read.
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
  // @HERE
  DONE(cublasSgemm_v2(blas, 0, 0, 32, 32, 32, &one, matrix(a), 32, matrix(b), 32, &beta, matrix(c),
                      32));
  // The library reads what it has written.
  DONE(cublasSgemm_v2(blas, 0, 0, 32, 32, 32, &one, matrix(c), 32, matrix(b), 32, &zero,
                      matrix(other), 32));
  DONE(cublasSaxpy_v2(blas, 1024, &one, matrix(other), 1, matrix(c), 1));
  OK(cuStreamSynchronize(stream));
  DONE(cublasDestroy_v2(blas));
  for (CUdeviceptr memory : {a, b, c, other}) OK(cuMemFree(memory));
  Close(stream);
}
