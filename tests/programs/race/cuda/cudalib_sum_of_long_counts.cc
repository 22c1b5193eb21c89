// Defect: A sum of cuBLAS, by the function with 64-bit counts, reads a vector that an upload on
// another stream writes.
// Fix: The library's stream waits for the upload.
// EXPECT error race cublasSaxpy_v2_64 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int64_t kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr x = NewZeros(kBytes), y = NewZeros(kBytes);
  char* data = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float two = 2;
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(x, data, kBytes, second));
#ifndef DEFECT
  OK(cuStreamSynchronize(second));
#endif
  // @HERE
  DONE(cublasSaxpy_v2_64(handle, kCount, &two, (float*)x, 1, (float*)y, 1));
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  Close(data, y, x, second, first);
}
