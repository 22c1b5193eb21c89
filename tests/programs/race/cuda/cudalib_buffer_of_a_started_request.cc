// Defect: A program fills a buffer again while a persistent request, which it has started for the
// second time, still sends it.
// Fix: The program waits for the request first.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at START
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT complete the request of MPI_Startall before cuMemsetD8Async
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr first = NewZeros(kBytes), second = NewZeros(kBytes);
  void* requests[2];
  DONE(MPI_Send_init((void*)first, kCount, &kMpiFloat, 1, 0, nullptr, &requests[0]));
  DONE(MPI_Send_init((void*)second, kCount, &kMpiFloat, 1, 1, nullptr, &requests[1]));
  DONE(MPI_Startall(2, requests));
  DONE(MPI_Waitall(2, requests, nullptr));
  // @START
  DONE(MPI_Startall(2, requests));
  DONE(MPI_Wait(&requests[0], nullptr));
  OK(cuMemsetD8Async(first, 1, kBytes, stream));
#ifndef DEFECT
  DONE(MPI_Wait(&requests[1], nullptr));
#endif
  // @HERE
  OK(cuMemsetD8Async(second, 1, kBytes, stream));
#ifdef DEFECT
  DONE(MPI_Wait(&requests[1], nullptr));
#endif
  for (void*& request : requests) DONE(MPI_Request_free(&request));
  OK(cuCtxSynchronize());
  Close(second, first, stream);
}
