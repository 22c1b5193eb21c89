// Calls of libraries on no elements, and messages to no process, with pointers to freed memory.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024;
  CUstream stream = NewStream();
  CUdeviceptr freed = NewZeros(kCount * sizeof(float));
  OK(cuMemFree(freed));
  const float one = 1;
  cublasHandle_t blas;
  DONE(cublasCreate_v2(&blas));
  DONE(cublasSetStream_v2(blas, stream));
  DONE(cublasSaxpy_v2(blas, 0, &one, (float*)freed, 1, (float*)freed, 1));
  DONE(cublasSaxpy_v2_64(blas, -1, &one, (float*)freed, 1, (float*)freed, 1));
  DONE(MPI_Send((void*)freed, 0, &kMpiFloat, 1, 0, nullptr));
  DONE(MPI_Send((void*)freed, kCount, &kMpiFloat, kProcNull, 0, nullptr));
  OK(cuStreamSynchronize(stream));
  DONE(cublasDestroy_v2(blas));
  Close(stream);
}
