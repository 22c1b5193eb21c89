// Two streams work on their own parts of the matrices: products write interleaved blocks of columns
// and rows of one result, and a product whose host scalar the library waits for ends in its call.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kHalf = kSize / 2, kBytes = kSize * kSize * sizeof(float);
  CUstream streams[] = {NewStream(), NewStream()};
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  CUdeviceptr vectors = NewZeros(2 * kSize * sizeof(float));
  cublasHandle_t handles[2];
  const float one = 1, zero = 0;
  for (int i = 0; i < 2; ++i) {
    DONE(cublasCreate_v2(&handles[i]));
    DONE(cublasSetStream_v2(handles[i], streams[i]));
  }
  // Blocks of rows: the columns of both halves alternate in memory.
  for (int i = 0; i < 2; ++i) {
    DONE(cublasSaxpy_v2(handles[i], kSize, &one, (float*)vectors + i, 2, (float*)b + i, 2));
    DONE(cublasSgemm_v2(handles[i], 0, 0, kHalf, kSize, kSize, &one, (float*)a, kSize, (float*)a,
                        kSize, &zero, (float*)c + i * kHalf, kSize));
  }
  OK(cuCtxSynchronize());
  // The scalar is in host memory: the call waits, and the other stream may follow.
  float result;
  DONE(cublasSaxpy_v2(handles[0], kSize, &one, (float*)vectors, 1, (float*)b, 1));
  DONE(cublasSdot_v2(handles[0], kSize, (float*)vectors, 1, (float*)b, 1, &result));
  OK(cuMemsetD8Async(b, 0, kBytes, streams[1]));
  OK(cuMemsetD8Async(vectors, 0, kSize * sizeof(float), streams[1]));
  OK(cuCtxSynchronize());
  for (cublasHandle_t handle : handles) DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, b, c, vectors}) OK(cuMemFree(memory));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close();
}
