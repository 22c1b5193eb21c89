// Defect: The program uses a buffer while a message or a request of MPI still uses it, or the
// reverse.
// Fix: The program waits for the request or for the stream.
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

// Defect: A kernel reads a buffer of device memory while a request of MPI still receives into it.
// Fix: A program waits for the request first. MPI itself writes the buffer by copies in both.
// EXPECT error race cuLaunchKernel at HERE_4
// EXPECT-PARTY pending-command at RECEIVE
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT complete the request of MPI_Irecv before cuLaunchKernel
static void BufferOfAReceive() {
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr halo = NewZeros(kBytes), copy = NewZeros(kBytes);
  const CUfunction kernel = Kernel(KERNEL_COPY);
  void* arguments[] = {&halo, &copy};
  void* request;
  // @RECEIVE
  DONE(MPI_Irecv((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr, &request));
#ifndef DEFECT
  DONE(MPI_Wait(&request, nullptr));
#endif
  // @HERE_4
  OK(cuLaunchKernel(kernel, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
#ifdef DEFECT
  DONE(MPI_Wait(&request, nullptr));
#endif
  OK(cuCtxSynchronize());
  Release(copy, halo, stream);
}

// Defect: A program gathers the parts of all ranks into device memory while a kernel still writes one of the parts.
// Fix: The kernel writes the gap between the parts.
// EXPECT error race MPI_Allgatherv at HERE_5
// EXPECT-PARTY pending-command at KERNEL
// EXPECT-FACT hazard=WAW
static void GatheredParts() {
  constexpr int kPart = 256, kBytes = 3 * kPart * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr part = NewZeros(kPart * sizeof(float)), all = NewZeros(kBytes);
  const CUfunction fill = Kernel(KERNEL_FILL);
  const int counts[2] = {kPart, kPart}, starts[2] = {0, 2 * kPart};
  int value = 1;
#ifdef DEFECT
  CUdeviceptr target = all + 2 * kPart * sizeof(float);
#else
  CUdeviceptr target = all + kPart * sizeof(float);
#endif
  void* arguments[] = {&target, &value};
  // @KERNEL
  OK(cuLaunchKernel(fill, 1, 1, 1, kPart, 1, 1, 0, stream, arguments, nullptr));
  // @HERE_5
  DONE(MPI_Allgatherv((void*)part, kPart, &kMpiFloat, (void*)all, counts, starts, &kMpiFloat,
                      nullptr));
  OK(cuCtxSynchronize());
  Release(all, part, stream);
}

// Defect: A program passes device memory to MPI while a kernel still writes it. MPI knows no streams.
// Fix: The program waits for the stream first.
// EXPECT error race MPI_Send at HERE_6
// EXPECT-PARTY pending-command at KERNEL_2
// EXPECT-FACT hazard=RAW
static void MessageWithoutWait() {
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUfunction fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  CUdeviceptr halo = NewMemory(kBytes);
  int value = 1;
  void* arguments[] = {&halo, &value};
  // @KERNEL_2
  OK(cuLaunchKernel(fill, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE_6
  DONE(MPI_Send((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr));
  OK(cuCtxSynchronize());
  Release(halo, stream);
}

int main() {
  Open();
  BufferOfARequest();
  BufferOfAStartedRequest();
  OriginOfAPut();
  BufferOfAReceive();
  GatheredParts();
  MessageWithoutWait();
  Close();
}
