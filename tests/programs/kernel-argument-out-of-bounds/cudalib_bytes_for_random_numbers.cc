// Defect: A generator of random numbers gets the size of the memory in bytes as the number of
// elements.
// Fix: It gets the number of elements.
// EXPECT error kernel-argument-out-of-bounds curandGenerateUniform at HERE
// EXIT any
// MAY sticky-error leak call-failed
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr size_t kCount = 1024;
  CUdeviceptr numbers = NewMemory(kCount * sizeof(float));
  void* generator;
  DONE(curandCreateGenerator(&generator, 100));
#ifdef DEFECT
  const size_t count = kCount * sizeof(float);
#else
  const size_t count = kCount;
#endif
  // @HERE
  curandGenerateUniform(generator, (float*)numbers, count);
  OK(cuCtxSynchronize());
  DONE(curandDestroyGenerator(generator));
  Close(numbers);
}
