// Defect: The result of a matrix product of cuBLAS is downloaded on another stream than that of the
// product.
// Fix: The download is enqueued to the stream of the product.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at PRODUCT
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* result = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float one = 1, zero = 0;
  // @PRODUCT
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, kSize));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  // @HERE
  OK(cuMemcpyDtoHAsync(result, c, kBytes, stream));
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(result));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Close(second, first);
}
