// Defect: The leading dimension of the result of a matrix product of cuBLAS is that of a larger
// matrix.
// Fix: The leading dimension is the number of rows.
// EXPECT error kernel-argument-out-of-bounds cublasSgemm_v2 at PRODUCT
// EXPECT-TEXT writes up to 16128 B past the end of
// EXPECT-FACT resource_bytes=16384
// MAY sticky-error
// EXIT any
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, stream));
  const float one = 1, zero = 0;
#ifdef DEFECT
  int leading = 2 * kSize;
#else
  int leading = kSize;
#endif
  // @PRODUCT
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, leading));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Close(stream);
}
