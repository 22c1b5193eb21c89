// Defect: A product of cuBLASLt writes the whole matrix, because its layout has been given all
// columns, while another stream uploads the second half of the matrix.
// Fix: The layout has the columns of the first half in both products.
// EXPECT error race cublasLtMatmul at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=WAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr uint64_t kSize = 64, kHalf = kSize / 2;
  constexpr size_t kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* rest = NewPinned(kBytes / 2);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  const float one = 1, zero = 0;
  const int description = 0;
  LtLayout layout;
  DONE(cublasLtMatrixLayoutInit_internal(&layout, sizeof(layout), 0, kSize, kHalf, kSize));
  const auto multiply = [&] {
    // @HERE
    return cublasLtMatmul(handle, &description, &one, (void*)a, &layout, (void*)b, &layout, &zero,
                          (void*)c, &layout, (void*)c, &layout, nullptr, nullptr, 0, first);
  };
  DONE(multiply());
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(c + kBytes / 2, rest, kBytes / 2, second));
#ifdef DEFECT
  DONE(cublasLtMatrixLayoutSetAttribute(&layout, kLtColumns, &kSize, sizeof(kSize)));
#endif
  DONE(multiply());
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(rest));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Close(second, first);
}
