// Defect: Random numbers are downloaded on another stream than the one of their generator.
// Fix: The generator gets the stream of the download.
// EXPECT error race cuMemcpyDtoHAsync_v2 at HERE
// EXPECT-PARTY pending-command at GENERATE
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024;
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr numbers = NewZeros(kCount * sizeof(float));
  char* host = NewPinned(kCount * sizeof(float));
  void* generator;
  DONE(curandCreateGenerator(&generator, 100));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  DONE(curandSetStream(generator, stream));
  // @GENERATE
  DONE(curandGenerateUniform(generator, (float*)numbers, kCount));
  // @HERE
  OK(cuMemcpyDtoHAsync(host, numbers, kCount * sizeof(float), first));
  OK(cuCtxSynchronize());
  DONE(curandDestroyGenerator(generator));
  Close(host, numbers, second, first);
}
