// Defect: A program fills a buffer of device memory again while a request of MPI still sends it.
// Fix: The program waits for the request first.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at SEND
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT complete the request of MPI_Isend before cuMemsetD8Async
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr halo = NewZeros(kBytes);
  void* request;
  // @SEND
  DONE(MPI_Isend((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr, &request));
#ifndef DEFECT
  DONE(MPI_Wait(&request, nullptr));
#endif
  // @HERE
  OK(cuMemsetD8Async(halo, 1, kBytes, stream));
#ifdef DEFECT
  DONE(MPI_Wait(&request, nullptr));
#endif
  OK(cuCtxSynchronize());
  Close(halo, stream);
}
