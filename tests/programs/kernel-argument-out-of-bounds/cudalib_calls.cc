// Defect bytes_for_random_numbers: A generator of random numbers gets the size of the memory in
// bytes as the number of elements.
// EXPECT error kernel-argument-out-of-bounds curandGenerateUniform at HERE
// MAY sticky-error leak call-failed
// Defect result_past_its_memory: The leading dimension of the result of a matrix product of cuBLAS
// is that of a larger matrix.
// EXPECT error kernel-argument-out-of-bounds cublasSgemm_v2 at PRODUCT
// EXPECT-TEXT writes up to 16128 B past the end of
// EXPECT-FACT resource_bytes=16384
// MAY sticky-error
// Fix: The sizes are numbers of elements, and fit the memory.
// EXIT any
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Fix: It gets the number of elements.
static void BytesForRandomNumbers() {
  constexpr size_t kCount = 1024;
  CUdeviceptr numbers = NewMemory(kCount * sizeof(float));
  void* generator;
  DONE(curandCreateGenerator(&generator, 100));
#ifdef DEFECT_bytes_for_random_numbers
  const size_t count = kCount * sizeof(float);
#else
  const size_t count = kCount;
#endif
  // @HERE
  curandGenerateUniform(generator, (float*)numbers, count);
  OK(cuCtxSynchronize());
  DONE(curandDestroyGenerator(generator));
  Release(numbers);
}

// Fix: The leading dimension is the number of rows.
static void ResultPastItsMemory() {
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, stream));
  const float one = 1, zero = 0;
#ifdef DEFECT_result_past_its_memory
  int leading = 2 * kSize;
#else
  int leading = kSize;
#endif
  // @PRODUCT
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &zero, (float*)c, leading));
#ifdef DEFECT_result_past_its_memory
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuCtxSynchronize());
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Release(stream);
}

int main() {
  Open();
  BytesForRandomNumbers();
  ResultPastItsMemory();
  Close();
}
