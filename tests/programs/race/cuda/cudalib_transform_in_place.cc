// Defect: Data is uploaded on another stream while a transform of cuFFT works on it in place.
// Fix: The plan gets the stream of the upload.
// EXPECT error race cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY pending-command at TRANSFORM
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 1024, kBytes = kSize * 8;
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr data = NewZeros(kBytes);
  char* next = NewPinned(kBytes);
  int plan;
  DONE(cufftPlan1d(&plan, kSize, kFftC2C, 1));
#ifdef DEFECT
  CUstream stream = second;
#else
  CUstream stream = first;
#endif
  DONE(cufftSetStream(plan, stream));
  // @TRANSFORM
  DONE(cufftExecC2C(plan, (void*)data, (void*)data, kFftForward));
  // @HERE
  OK(cuMemcpyHtoDAsync(data, next, kBytes, first));
  OK(cuCtxSynchronize());
  DONE(cufftDestroy(plan));
  Close(next, data, second, first);
}
