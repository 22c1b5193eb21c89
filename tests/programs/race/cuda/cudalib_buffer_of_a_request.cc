// Defect: A program fills a buffer again while a request, a persistent request or MPI_Put still
// reads it.
// Fix: The program waits for the communication first.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Defect: A program fills a buffer of device memory again while a request of MPI still sends it.
// Fix: The program waits for the request first.
// EXPECT error race cuMemsetD8Async at HERE
// EXPECT-PARTY pending-command at SEND
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT complete the request of MPI_Isend before cuMemsetD8Async
static void BufferOfARequest() {
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
  Release(halo, stream);
}

// Defect: A program fills a buffer again while a persistent request, which it has started for the
// second time, still sends it.
// Fix: The program waits for the request first.
// EXPECT error race cuMemsetD8Async at HERE_2
// EXPECT-PARTY pending-command at START_2
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT complete the request of MPI_Startall before cuMemsetD8Async
static void BufferOfAStartedRequest() {
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr first = NewZeros(kBytes), second = NewZeros(kBytes);
  void* requests[2];
  DONE(MPI_Send_init((void*)first, kCount, &kMpiFloat, 1, 0, nullptr, &requests[0]));
  DONE(MPI_Send_init((void*)second, kCount, &kMpiFloat, 1, 1, nullptr, &requests[1]));
  DONE(MPI_Startall(2, requests));
  DONE(MPI_Waitall(2, requests, nullptr));
  // @START_2
  DONE(MPI_Startall(2, requests));
  DONE(MPI_Wait(&requests[0], nullptr));
  OK(cuMemsetD8Async(first, 1, kBytes, stream));
#ifndef DEFECT
  DONE(MPI_Wait(&requests[1], nullptr));
#endif
  // @HERE_2
  OK(cuMemsetD8Async(second, 1, kBytes, stream));
#ifdef DEFECT
  DONE(MPI_Wait(&requests[1], nullptr));
#endif
  for (void*& request : requests) DONE(MPI_Request_free(&request));
  OK(cuCtxSynchronize());
  Release(second, first, stream);
}

// Defect: A program fills a buffer again while MPI_Put still reads it.
// Fix: The program completes the accesses to the window first.
// EXPECT error race cuMemsetD8Async at HERE_3
// EXPECT-PARTY pending-command at PUT_3
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT complete MPI_Put before cuMemsetD8Async .MPI_Win_fence
static void OriginOfAPut() {
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr origin = NewZeros(kBytes);
  int window;
  DONE(MPI_Win_fence(0, &window));
  // @PUT_3
  DONE(MPI_Put((void*)origin, kCount, &kMpiFloat, 1, 0, kCount, &kMpiFloat, &window));
#ifndef DEFECT
  DONE(MPI_Win_flush(1, &window));
#endif
  // @HERE_3
  OK(cuMemsetD8Async(origin, 1, kBytes, stream));
  DONE(MPI_Win_fence(0, &window));
  OK(cuCtxSynchronize());
  Release(origin, stream);
}

int main() {
  Open();
  BufferOfARequest();
  BufferOfAStartedRequest();
  OriginOfAPut();
  Close();
}
