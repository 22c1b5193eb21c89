// Defect: cuFFT transforms memory that the program has freed.
// Fix: The memory is freed after the transform.
// EXPECT error use-after-free cufftExecC2C at HERE
// EXPECT-PARTY release at RELEASED
// MAY sticky-error
// EXIT any
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024;
  CUstream stream = NewStream();
  CUdeviceptr data = NewZeros(kCount * 2 * sizeof(float));
  int plan;
  DONE(cufftPlan1d(&plan, kCount, kFftC2C, 1));
  DONE(cufftSetStream(plan, stream));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(data));
#endif
  // @HERE
  cufftExecC2C(plan, (void*)data, (void*)data, kFftForward);
  cuStreamSynchronize(stream);
#ifndef DEFECT
  OK(cuMemFree(data));
#endif
  DONE(cufftDestroy(plan));
  Close(stream);
}
