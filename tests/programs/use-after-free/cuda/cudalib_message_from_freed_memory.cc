// Defect: A message of MPI is sent from device memory that the program has freed.
// Fix: The memory is freed after the message is sent.
// EXPECT error use-after-free MPI_Send at HERE
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024;
  CUdeviceptr data = NewZeros(kCount * sizeof(float));
#ifdef DEFECT
  // @RELEASED
  OK(cuMemFree(data));
#endif
  // @HERE
  MPI_Send((void*)data, kCount, &kMpiFloat, 1, 0, nullptr);
#ifndef DEFECT
  OK(cuMemFree(data));
#endif
  Close();
}
