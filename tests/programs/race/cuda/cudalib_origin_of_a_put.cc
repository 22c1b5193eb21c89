// Defect: A program fills a buffer again while MPI_Put still reads it.
// Fix: The program completes the accesses to the window first.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at PUT
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT complete MPI_Put before cuMemsetD8Async .MPI_Win_fence
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr origin = NewZeros(kBytes);
  int window;
  DONE(MPI_Win_fence(0, &window));
  // @PUT
  DONE(MPI_Put((void*)origin, kCount, &kMpiFloat, 1, 0, kCount, &kMpiFloat, &window));
#ifndef DEFECT
  DONE(MPI_Win_flush(1, &window));
#endif
  // @HERE
  OK(cuMemsetD8Async(origin, 1, kBytes, stream));
  DONE(MPI_Win_fence(0, &window));
  OK(cuCtxSynchronize());
  Close(origin, stream);
}
